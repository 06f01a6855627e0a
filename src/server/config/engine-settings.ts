import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Region } from '../../protocol/generated/schemas.js';
import { ConfigError, flag, list, text, type Environment } from './environment.js';
import { type KubernetesAddress, kubernetesAddress } from './kubernetes.js';

/** How to reach a Docker engine. */
export type DockerAddress =
  | { transport: 'unix'; path: string; text: string }
  | {
      transport: 'tcp';
      host: string;
      port: number;
      text: string;
      /** Null: neither encrypted nor authenticated. */
      tls: TlsIdentity | null;
      /** Address of the engine's machine on which agents listen; null: the engine's own. */
      agents: string | null;
    };

/** Where an engine is. */
export type EngineAddress = DockerAddress | KubernetesAddress;

/** The service's client certificate and the CA it trusts for an engine: PEM texts. */
export interface TlsIdentity {
  ca: string;
  cert: string;
  key: string;
}

const REGIONS: readonly Region[] = ['NA', 'EU', 'AS'];

const FORM =
  'BERTH_REGIONS must be like NA=unix:///var/run/docker.sock,EU=tcp+tls://docker.example:2376,AS=kubernetes:context ' +
  `with each of ${REGIONS.join(', ')} at most once`;

/** The engine of each region, and how to reach it. Certificates are read here. @throws ConfigError */
export function regions(env: Environment, cwd: string): ReadonlyMap<Region, EngineAddress> {
  const entries = list(env, 'BERTH_REGIONS') ?? ['NA=unix:///var/run/docker.sock'];
  const agents = agentAddresses(env);
  const found = new Map<Region, EngineAddress>();
  const context = { identity: identity(env, cwd), plain: flag(env, 'BERTH_DOCKER_PLAIN_TCP', false) };
  for (const entry of entries) {
    const [region, address] = keyAndValue(entry);
    const known = REGIONS.find(each => each === region);
    const engine =
      known === undefined || found.has(known)
        ? null
        : (kubernetesAddress(env, known, address) ?? dockerAddress(address, agents.get(known) ?? null, context));
    if (known === undefined || engine === null) throw new ConfigError(`${FORM}, but holds "${entry}".`);
    found.set(known, engine);
    agents.delete(known);
  }
  const [stray] = agents.keys();
  if (stray !== undefined)
    throw new ConfigError(`BERTH_AGENT_ADDRESSES must not name ${stray}, which BERTH_REGIONS does not.`);
  return found;
}

interface Context {
  identity: Identity;
  /** Whether plain TCP to other machines is allowed. */
  plain: boolean;
}

function dockerAddress(value: string, agents: string | null, { identity, plain }: Context): DockerAddress | null {
  if (value.startsWith('unix:///')) return { transport: 'unix', path: value.slice('unix://'.length), text: value };
  if (!/^tcp(\+tls)?:\/\//.test(value) || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.hostname === '' || url.pathname.length > 1) return null;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const tls = value.startsWith('tcp+tls:') || identity.always ? identity.read(value) : null;
  if (tls === null && !plain && !isLoopback(host)) {
    throw new ConfigError(
      `BERTH_REGIONS must not speak to ${host} without encryption and password, which gives that machine away to the ` +
        'network between: use tcp+tls://, or set BERTH_DOCKER_PLAIN_TCP=true where that network is your own.',
    );
  }
  return { transport: 'tcp', host, port: Number(url.port || (tls ? 2376 : 2375)), text: value, tls, agents };
}

interface Identity {
  /** Whether `tcp://` means TLS, as in Docker's own client. */
  always: boolean;
  read(address: string): TlsIdentity;
}

/** Client certificates for engines: from the service's own setting, or Docker's. */
function identity(env: Environment, cwd: string): Identity {
  const own = text(env, 'BERTH_DOCKER_CERT_PATH');
  const always = text(env, 'DOCKER_TLS_VERIFY') !== undefined;
  const folder = own ?? text(env, 'DOCKER_CERT_PATH') ?? (always ? join(homedir(), '.docker') : undefined);
  return {
    always,
    read(address) {
      if (folder === undefined) {
        throw new ConfigError(
          `BERTH_DOCKER_CERT_PATH must be a folder with ca.pem, cert.pem and key.pem, since BERTH_REGIONS holds "${address}".`,
        );
      }
      const file = (name: string) => {
        const path = join(resolve(cwd, folder), name);
        try {
          return readFileSync(path, 'utf8');
        } catch (error) {
          const reason = (error as NodeJS.ErrnoException).code ?? String(error);
          throw new ConfigError(`BERTH_DOCKER_CERT_PATH: ${path} cannot be read (${reason}).`);
        }
      };
      return Object.freeze({ ca: file('ca.pem'), cert: file('cert.pem'), key: file('key.pem') });
    },
  };
}

/** Where the agents of a region's sessions can be reached, if not at the address of its engine. */
function agentAddresses(env: Environment): Map<Region, string> {
  const found = new Map<Region, string>();
  for (const entry of list(env, 'BERTH_AGENT_ADDRESSES') ?? []) {
    const [region, address] = keyAndValue(entry);
    const known = REGIONS.find(each => each === region);
    if (known === undefined || found.has(known) || isIP(address) === 0) {
      throw new ConfigError(`BERTH_AGENT_ADDRESSES must be like EU=10.0.0.7,AS=10.0.0.8, but holds "${entry}".`);
    }
    found.set(known, address);
  }
  return found;
}

function keyAndValue(entry: string): [key: string, value: string] {
  const [key = '', ...rest] = entry.split('=');
  return [key, rest.join('=')];
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
