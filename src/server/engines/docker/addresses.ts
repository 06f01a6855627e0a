import { BlockList, isIPv4 } from 'node:net';
import type Docker from 'dockerode';
import type { DockerAddress } from '../../config/index.js';
import { EngineError, type FoundContainer, type EngineAddresses } from '../engine.js';
import { Label, type Names } from './names.js';

/** Webhooks wait for this; a slow engine is asked again later. */
const TIMEOUT_MS = 2000;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || (isIPv4(host) && LOOPBACK.check(host));

/**
 * The networks of all services' sessions in the engine, and the engine's own address. A machine reached over TCP is
 * blocked as a whole, since its containers' ports are published on it; if it is this machine, by a tunnel or a relay,
 * only those ports, which `list` returns, are blocked.
 * @throws EngineError if the network of this service does not exist yet
 */
export async function addressesOf(
  docker: Docker,
  names: Names,
  address: DockerAddress,
  list: () => Promise<FoundContainer[]>,
): Promise<EngineAddresses> {
  // The type declarations lack the signal.
  const options: object = { filters: { label: [Label.instance] }, abortSignal: AbortSignal.timeout(TIMEOUT_MS) };
  const found = await docker.listNetworks(options);
  if (!found.some(({ Name }) => Name === names.network)) {
    throw new EngineError('unavailable', `The network ${names.network} is not made yet.`);
  }
  const networks = found.flatMap(({ IPAM }) => (IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet ?? []));
  return { networks, hosts: await hostsOf(address, list) };
}

async function hostsOf(
  address: DockerAddress,
  list: () => Promise<FoundContainer[]>,
): Promise<EngineAddresses['hosts']> {
  if (address.transport === 'unix') return [];
  const { port } = address;
  const host = address.host.replace(/^\[|\]$/g, '');
  if (!isLoopback(host)) return [{ host, port: null }];
  return [{ host, port }, ...(await list()).flatMap(({ endpoint }) => endpoint ?? [])];
}
