import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Region } from '../../protocol/generated/schemas.js';
import type { Config, DockerAddress } from '../config/index.js';
import { packageRoot } from '../lib/package-root.js';
import { DockerEngine } from './docker/index.js';
import { Fleet } from './fleet.js';

/**
 * Creates the configured engines; sends nothing yet. `store`: identity of the store that sessions are kept in; null:
 * there is none.
 */
export async function createFleet(config: Config, store: string | null): Promise<Fleet> {
  const seccomp = await readFile(join(packageRoot(), 'images/seccomp.json'), 'utf8');
  const byAddress = new Map<string, { address: DockerAddress; regions: Region[] }>();
  for (const [region, address] of config.regions) {
    const key = `${address.text} ${address.transport === 'tcp' ? address.agents : ''}`;
    const known = byAddress.get(key);
    if (known) known.regions.push(region);
    else byAddress.set(key, { address, regions: [region] });
  }
  const members = [...byAddress.values()].map(({ address, regions }) => ({
    engine: new DockerEngine({ ...config, address, seccomp, store }),
    regions,
    name: address.text,
  }));
  return new Fleet(members);
}
