import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { newWebhookSecret, WEBHOOK_SECRET, webhookKey } from '../../protocol/webhook-secret.js';
import { ConfigError } from './environment.js';
import type { Config } from './config.js';
import { Keyring } from '../secrets/index.js';

/** The secrets with which the service authenticates callers and itself. */
export interface Credentials {
  apiKeys: readonly string[];
  keyring: Keyring;
  /** Sign webhooks that have no secret of their own; newest first. */
  webhookSecrets: readonly string[];
  /** Name of this replica in leases; survives restarts. */
  replica: string;
}

/**
 * Reads keys, secrets and replica name from the configuration or the data folder; what is missing from both is
 * generated once and kept there with mode 0600. The files with secrets may hold several, one per line, newest first.
 */
export async function loadCredentials(config: Config): Promise<Credentials> {
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    await closeToOthers(config.dataDir);
  } catch (error) {
    throw new ConfigError(`BERTH_DATA_DIR must be a folder that can be written to: ${(error as Error).message}.`);
  }
  const path = (file: string) => join(config.dataDir, file);
  const kept = (file: string, bytes: number) => keep(path(file), randomBytes(bytes).toString('base64url'));
  const one = async (file: string, bytes: number) => (await kept(file, bytes)).join('\n');
  const [newest = '', ...older] = config.secrets.length > 0 ? config.secrets : await kept('secret', 48);
  return {
    apiKeys: config.apiKeys.length > 0 ? config.apiKeys : [await one('api-key', 24)],
    keyring: new Keyring(newest, ...older),
    webhookSecrets:
      config.webhookSecrets.length > 0 ? config.webhookSecrets : await keptWebhookSecrets(path('webhook-secret')),
    replica: await one('replica', 12),
  };
}

/** A folder owned by somebody else, such as a mounted volume, is left unchanged. */
async function closeToOthers(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o077) === 0) return;
  await chmod(folder, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM' && error.code !== 'EROFS') throw error;
  });
}

async function keptWebhookSecrets(path: string): Promise<string[]> {
  const secrets = await keep(path, newWebhookSecret());
  if (secrets.every(secret => webhookKey(secret) !== null)) return secrets;
  throw new ConfigError(`${path} must hold ${WEBHOOK_SECRET} in each line; delete it to have a new one made.`);
}

/** The lines of a file, which is created with one if it does not exist. */
async function keep(path: string, fresh: string): Promise<string[]> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${fresh}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    return [fresh];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  await chmod(path, 0o600);
  const lines = (await readFile(path, 'utf8')).split('\n').map(line => line.trim());
  const values = lines.filter(line => line !== '');
  if (values.length > 0 && values.every(value => value.length >= 16)) return values;
  throw new ConfigError(`${path} is damaged; restore it from a backup, or delete it to have a new one made.`);
}
