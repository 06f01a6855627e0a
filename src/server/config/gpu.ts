import { statSync, type Stats } from 'node:fs';
import type { GpuConfig } from './config.js';
import { ConfigError, number, text, type Environment } from './environment.js';

const RENDER_NODE = /^\/dev\/([\w-]+\/)*renderD\d{1,3}$/;
const READ_AND_WRITE = 0o060;
const LARGEST_GROUP = 2 ** 32 - 2;

/**
 * The GPU for Chromium's containers; null: none. `isLocal`: all engines run on this machine, so that the GPU's group
 * can be looked up.
 * @throws ConfigError
 */
export function gpu(env: Environment, isLocal: boolean): Readonly<GpuConfig> | null {
  const device = text(env, 'BERTH_GPU') ?? 'off';
  const group = number(env, 'BERTH_GPU_GROUP', 0, { min: 1, max: LARGEST_GROUP });
  if (device === 'off') return null;
  if (!RENDER_NODE.test(device)) {
    throw new ConfigError(
      `BERTH_GPU must be off or the path of a render node like /dev/dri/renderD128, but is "${device}".`,
    );
  }
  if (group !== 0) return Object.freeze({ device, group });
  if (isLocal) return Object.freeze({ device, group: groupOf(device) });
  throw new ConfigError(
    "BERTH_GPU_GROUP must be the number of the group of BERTH_GPU on the engines' machines, since at least one of them is not this machine.",
  );
}

function groupOf(device: string): number {
  const stats = statsOf(device);
  const problem =
    typeof stats === 'string'
      ? `it cannot be inspected (${stats})`
      : !stats.isCharacterDevice()
        ? 'it is not one'
        : stats.gid === 0
          ? 'its group is root: give it one of its own, such as render'
          : (stats.mode & READ_AND_WRITE) !== READ_AND_WRITE
            ? 'its group may not read and write it'
            : null;
  if (typeof stats !== 'string' && problem === null) return stats.gid;
  throw new ConfigError(`BERTH_GPU must be a render node that sessions can use, but ${device} is not: ${problem}.`);
}

function statsOf(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
