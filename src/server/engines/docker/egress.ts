import {
  answers,
  BURST_S,
  CLOSED,
  type Egress,
  flowLimits,
  dnsTo,
  inChain,
  type Rules,
} from '../packet-filter/rules.js';
import type { AdbDevice } from '../../config/index.js';
import { awayFrom } from './device-network.js';
import type { Names } from './names.js';

/**
 * Rules for what containers on the bridge may reach: the public internet, the ranges in `allow`, and DNS at
 * `resolvers`; never each other, the host, a device of a pool, or anything private. They have no IPv6, so all of it is
 * dropped.
 */
export function egressRules(
  names: Names,
  { resolvers, allow, connections, connectionRate }: Egress,
  devices: readonly AdbDevice[],
): Rules {
  const { bridge, forwardChain, inputChain } = names;
  const dns = dnsTo(resolvers);
  // The kernel keeps the parameters a hashlimit name was created with, so other parameters need another name.
  const limits = flowLimits(connections, connectionRate, `${bridge}-${connectionRate}-${BURST_S}`);
  const forward = [
    answers,
    `-o ${bridge} -j DROP`,
    ...awayFrom(devices),
    ...limits,
    ...dns,
    ...allow.map(range => `-d ${range} -j ACCEPT`),
    ...CLOSED.map(range => `-d ${range} -j DROP`),
    '-j RETURN',
  ];
  const input = [answers, ...limits, ...dns, '-j DROP'];
  return {
    ipv4: {
      chains: [...inChain(forwardChain, forward), ...inChain(inputChain, input)],
      hooks: [
        { chain: 'DOCKER-USER', rule: `-i ${bridge} -j ${forwardChain}` },
        // Replies from allowed ranges arrive over other bridges, which the engine isolates from ours.
        { chain: 'DOCKER-USER', rule: `-o ${bridge} ${answers}` },
        { chain: 'INPUT', rule: `-i ${bridge} -j ${inputChain}` },
      ],
    },
    ipv6: {
      chains: [...inChain(forwardChain, ['-j DROP']), ...inChain(inputChain, ['-j DROP'])],
      hooks: [
        { chain: 'FORWARD', rule: `-i ${bridge} -j ${forwardChain}` },
        { chain: 'FORWARD', rule: `-o ${bridge} -j ${forwardChain}` },
        { chain: 'INPUT', rule: `-i ${bridge} -j ${inputChain}` },
      ],
    },
  };
}

/** Rules for containers that may reach everything but the devices of a pool. */
export function openRules({ bridge, forwardChain, inputChain }: Names, devices: readonly AdbDevice[]): Rules {
  const chains = [forwardChain, inputChain].flatMap(chain => inChain(chain, [...awayFrom(devices), '-j RETURN']));
  const hooks = [
    { chain: 'DOCKER-USER', rule: `-i ${bridge} -j ${forwardChain}` },
    { chain: 'INPUT', rule: `-i ${bridge} -j ${inputChain}` },
  ];
  return { ipv4: { chains, hooks }, ipv6: { chains: [], hooks: [] } };
}

/** IPv4 name servers in a resolv.conf that containers can reach. */
export function resolversIn(resolvConf: string): string[] {
  const found = [...resolvConf.matchAll(/^\s*nameserver\s+(\d{1,3}(?:\.\d{1,3}){3})\s*$/gm)].map(
    match => match[1] ?? '',
  );
  return [...new Set(found)].filter(address => !address.startsWith('127.'));
}
