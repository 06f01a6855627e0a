import { lookup } from 'node:dns/promises';
import { type AndroidConfig, ConfigError } from './config/index.js';

/**
 * The same settings with the pool's devices by address: packet filters know no names, and sessions' containers have no
 * name server.
 * @throws ConfigError if a name cannot be resolved
 */
export async function withAddresses(android: Readonly<AndroidConfig>): Promise<Readonly<AndroidConfig>> {
  const { devices } = android;
  if (devices.type !== 'adb') return android;
  const pool = await Promise.all(
    devices.pool.map(async ({ host, port }) => {
      try {
        return { host: (await lookup(host, { family: 4 })).address, port };
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
        throw new ConfigError(`BERTH_ANDROID_ADB names ${host}, which has no IPv4 address here (${code}).`);
      }
    }),
  );
  const texts = pool.map(({ host, port }) => `${host}:${port}`);
  const twice = texts.find((text, index) => texts.indexOf(text) !== index);
  if (twice !== undefined)
    throw new ConfigError(`BERTH_ANDROID_ADB must name each device once, but two of its names are ${twice}.`);
  return { ...android, devices: { ...devices, pool } };
}
