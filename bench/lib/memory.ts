import { readFile } from 'node:fs/promises';
import { docker } from './docker.js';
import { processorSeconds } from './usage.js';

const MIB = 1 << 20;

/** What containers of this machine hold and have used; needs root, as other processes' memory may not be read. */
export interface Rest {
  /** MiB by program: its processes' proportional set size. Pages shared with other processes count in parts. */
  programs: Map<string, number>;
  /** Seconds of processor time by process. */
  seconds: Map<number, number>;
}

/** Reads a container's processes. */
export async function restOf(container: string): Promise<Rest> {
  const pids = (await docker('top', container, '-eo', 'pid')).split('\n').slice(1).map(Number);
  const rest: Rest = { programs: new Map(), seconds: new Map() };
  for (const pid of pids) {
    const [command, memory] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
    ]);
    const name = nameOf(command);
    const kib = Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1]);
    rest.programs.set(name, (rest.programs.get(name) ?? 0) + kib / 1024);
    rest.seconds.set(pid, await processorSeconds(pid));
  }
  return rest;
}

/** A program's name, for Chromium with the type of the process. */
function nameOf(command: string): string {
  const program = (command.split(/[\0 ]/, 1)[0] ?? '').split('/').at(-1) ?? '';
  const flag = (name: string) => new RegExp(`[\\0 ]--${name}(?:=([^\\0 ]*))?(?=[\\0 ]|$)`).exec(command);
  const type = flag('type')?.[1];
  if (type === undefined) return program;
  if (flag('extension-process') !== null) return `${program} extension`;
  if (flag('top-chrome-webui') !== null) return `${program} top-chrome`;
  return `${program} ${type}`;
}

const UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: MIB, GiB: 1024 * MIB };

/** MiB that the kernel accounts to each container, without file pages that it may drop, as `docker stats` has it. */
export async function accounted(containers: readonly string[]): Promise<number[]> {
  const lines = (await docker('stats', '--no-stream', '--format', '{{.MemUsage}}', ...containers)).split('\n');
  return lines.map(line => {
    const [, value, unit = ''] = /^([\d.]+)([A-Za-z]+) \//.exec(line) ?? [];
    return (Number(value) * (UNITS[unit] ?? NaN)) / MIB;
  });
}
