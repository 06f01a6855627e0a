import { readFile } from 'node:fs/promises';
import { docker } from './docker.js';

/** Clock ticks per second in /proc: the same on every Linux that Node runs on. */
const TICKS = 100;

/** Resources that a container has used so far. */
export interface Usage {
  at: number;
  /** CPU seconds by process. */
  processes: Map<number, { name: string; seconds: number }>;
}

/** CPU time of a container's programs so far. */
export async function usageOf(container: string): Promise<Usage> {
  const text = await docker('exec', container, 'sh', '-c', 'cat /proc/[0-9]*/stat 2>/dev/null; true');
  return { at: performance.now(), processes: new Map(text.split('\n').flatMap(processOf)) };
}

/** CPU seconds that a process of this machine has used. */
export async function processorSeconds(pid: number): Promise<number> {
  const [found] = processOf(await readFile(`/proc/${pid}/stat`, 'utf8'));
  return found?.[1].seconds ?? NaN;
}

function processOf(line: string): [number, { name: string; seconds: number }][] {
  const match = /^(\d+) \((.*)\) \S ([\d\s-]+)$/.exec(line.trim());
  if (match === null) return [];
  const fields = (match[3] ?? '').split(' ').map(Number);
  // utime and stime are the 14th and 15th field of the line, the list begins with the fourth.
  return [[Number(match[1]), { name: match[2] ?? '', seconds: ((fields[10] ?? 0) + (fields[11] ?? 0)) / TICKS }]];
}

/** Cores that each program (all its processes together) used between two measurements; 1 is a whole core. */
export function coresBetween(before: Usage, after: Usage): Map<string, number> {
  const cores = new Map<string, number>();
  const seconds = (after.at - before.at) / 1000;
  for (const [pid, { name, seconds: now }] of after.processes) {
    const used = (now - (before.processes.get(pid)?.seconds ?? 0)) / seconds;
    cores.set(name, (cores.get(name) ?? 0) + used);
  }
  return cores;
}
