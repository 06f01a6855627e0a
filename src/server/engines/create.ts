import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Region } from '../../protocol/generated/schemas.js';
import type { Config, DockerAddress, EngineAddress, KubernetesAddress } from '../config/index.js';
import { packageRoot } from '../lib/package-root.js';
import type { Engine } from './engine.js';
import { Fleet, type FleetMember } from './fleet.js';
import { Cluster, KubernetesEngine, namesOf } from './kubernetes/index.js';

/**
 * Creates the configured engines; sends nothing yet. `store`: identity of the store that sessions are kept in; null:
 * there is none.
 * @throws ConfigError
 */
export async function createFleet(config: Config, store: string | null): Promise<Fleet> {
  const byAddress = new Map<string, { address: EngineAddress; regions: Region[] }>();
  for (const [region, address] of config.regions) {
    const key = `${address.text} ${address.transport === 'tcp' ? address.agents : ''}`;
    const known = byAddress.get(key);
    if (known) known.regions.push(region);
    else byAddress.set(key, { address, regions: [region] });
  }
  const clusters = new Map<string | null, Cluster>();
  const members: FleetMember[] = [];
  for (const { address, regions } of byAddress.values()) {
    const engine =
      address.transport === 'kubernetes'
        ? await kubernetesEngine(config, address, store, clusters)
        : await dockerEngine(config, address, store);
    members.push({ engine, regions, name: address.text });
  }
  return new Fleet(members);
}

async function dockerEngine(config: Config, address: DockerAddress, store: string | null): Promise<Engine> {
  // Loaded only if needed: Docker's client takes a fifth of the service's start.
  const { DockerEngine } = await import('./docker/index.js');
  const seccomp = await readFile(join(packageRoot(), 'images/seccomp.json'), 'utf8');
  const { devices, emulator } = config.android;
  const pool = devices.type === 'adb' ? devices.pool : [];
  return new DockerEngine({ ...config, address, seccomp, store, devices: pool, emulator });
}

/** `clusters`: those opened so far, by context; regions of one cluster share its connection. */
async function kubernetesEngine(
  config: Config,
  address: KubernetesAddress,
  store: string | null,
  clusters: Map<string | null, Cluster>,
): Promise<Engine> {
  const { instance, kubernetes } = config;
  if (kubernetes === null) throw new Error('A region is on Kubernetes, but Pods have no settings.');
  const names = namesOf(instance, store);
  const cluster = clusters.get(address.context) ?? (await Cluster.open(address.context, names, kubernetes));
  clusters.set(address.context, cluster);
  return new KubernetesEngine({ ...config, cluster, address, kubernetes });
}
