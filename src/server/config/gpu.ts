import { readdirSync, statSync, type Stats } from 'node:fs';
import { ConfigError, number, text, type Environment } from './environment.js';

/** A GPU of the engines' machines. */
export interface GpuConfig {
  /** Path of its render node. */
  device: string;
  /** Number of the group that may use it. */
  group: number;
}

const RENDER_NODE = /^\/dev\/([\w-]+\/)*renderD\d{1,3}$/;
const READ_AND_WRITE = 0o060;
const LARGEST_GROUP = 2 ** 32 - 2;

/** Where Linux has render nodes. */
const FOLDER = '/dev/dri';

/** A file's properties, or why they are unknown. */
type Inspect = (path: string) => Pick<Stats, 'isCharacterDevice' | 'gid' | 'mode'> | string;

/**
 * The GPU for Chromium's containers; null: none. `isLocal`: all engines run on this machine, so that GPUs and their
 * group can be looked up.
 * @throws ConfigError
 */
export function gpu(env: Environment, isLocal: boolean): Readonly<GpuConfig> | null {
  const device = text(env, 'BERTH_GPU') ?? 'off';
  const group = number(env, 'BERTH_GPU_GROUP', 0, { min: 1, max: LARGEST_GROUP });
  if (device === 'off') return null;
  if (device === 'auto') {
    if (!isLocal)
      throw new ConfigError(
        'BERTH_GPU=auto finds GPUs of this machine, but at least one engine is on another: name the render node that all of them have.',
      );
    const found = findGpu();
    return typeof found === 'string' ? null : Object.freeze(group === 0 ? found : { ...found, group });
  }
  if (!RENDER_NODE.test(device)) {
    throw new ConfigError(
      `BERTH_GPU must be auto, off or the path of a render node like /dev/dri/renderD128, but is "${device}".`,
    );
  }
  if (group !== 0) return Object.freeze({ device, group });
  if (isLocal) return Object.freeze({ device, group: groupOf(device) });
  throw new ConfigError(
    "BERTH_GPU_GROUP must be the number of the group of BERTH_GPU on the engines' machines, since at least one of them is not this machine.",
  );
}

/** Why `BERTH_GPU=auto` has found no GPU, a sentence; null: it has, or was not asked to. */
export function gpuMissing(env: Environment): string | null {
  if (text(env, 'BERTH_GPU') !== 'auto') return null;
  const found = findGpu();
  return typeof found === 'string' ? found : null;
}

/** The first render node in a folder that sessions can use, or a sentence that says why there is none. */
export function findGpu(folder = FOLDER, inspect: Inspect = statsOf): GpuConfig | string {
  const names = namesIn(folder)
    .filter(name => RENDER_NODE.test(`${FOLDER}/${name}`))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const problems: string[] = [];
  for (const device of names.map(name => `${folder}/${name}`)) {
    const stats = inspect(device);
    const problem = problemOf(stats);
    if (typeof stats !== 'string' && problem === null) return { device, group: stats.gid };
    problems.push(`${device}: ${problem}`);
  }
  return problems.length === 0
    ? `BERTH_GPU is auto, but ${folder} has no render node.`
    : `BERTH_GPU is auto, but no render node can be used by sessions (${problems.join('; ')}).`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function groupOf(device: string): number {
  const stats = statsOf(device);
  const problem = problemOf(stats);
  if (typeof stats !== 'string' && problem === null) return stats.gid;
  throw new ConfigError(`BERTH_GPU must be a render node that sessions can use, but ${device} is not: ${problem}.`);
}

/** Why sessions cannot use a device; null: they can. */
function problemOf(stats: ReturnType<Inspect>): string | null {
  if (typeof stats === 'string') return `it cannot be inspected (${stats})`;
  if (!stats.isCharacterDevice()) return 'it is not one';
  if (stats.gid === 0) return 'its group is root: give it one of its own, such as render';
  return (stats.mode & READ_AND_WRITE) === READ_AND_WRITE ? null : 'its group may not read and write it';
}

function statsOf(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
