import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './environment.js';
import type { Config } from './config.js';

/** What the service must know to recognise callers and itself. */
export interface Credentials {
  apiKeys: readonly string[];
  secret: string;
  /** Name of this replica in leases; the same after a restart. */
  replica: string;
}

/**
 * Reads keys, secret and replica name from the configuration or the data folder; what neither has is made
 * once and kept there with mode 0600.
 */
export async function loadCredentials(config: Config): Promise<Credentials> {
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(
      `BERTH_DATA_DIR must be a folder that can be written to: ${(error as Error).message}.`,
    );
  }
  const kept = (file: string, bytes: number) => keep(join(config.dataDir, file), bytes);
  return {
    apiKeys: config.apiKeys.length > 0 ? config.apiKeys : [await kept('api-key', 24)],
    secret: config.secret ?? (await kept('secret', 48)),
    replica: await kept('replica', 12),
  };
}

async function keep(path: string, bytes: number): Promise<string> {
  const fresh = randomBytes(bytes).toString('base64url');
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${fresh}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  await chmod(path, 0o600);
  const value = (await readFile(path, 'utf8')).trim();
  if (value.length >= 16) return value;
  throw new ConfigError(`${path} is damaged; restore it from a backup, or delete it to have a new one made.`);
}
