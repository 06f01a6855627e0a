import { readdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { minimatch } from 'minimatch';
import { type Tag, tagsOf } from './test-tags.js';

/** A group of test files that run under the same conditions. */
export interface Phase extends Conditions {
  /** In the order in which they begin. */
  files: string[];
  /** Those that draw at random what they try. */
  random: ReadonlySet<string>;
  /** Whether these are all the files of the phase. */
  whole: boolean;
}

interface Conditions {
  name: 'unit' | 'long' | 'containers' | 'waiting' | 'cluster' | 'alone';
  /** Number of concurrent processes. */
  jobs: number;
  /** Time limit of one file, seconds: ends what hangs, since some machines take three times as long as others. */
  timeout: number;
  /** Whether the tests need a container engine, the images and the built service. */
  containers: boolean;
}

/** The phases, in the order in which they run; a file belongs to the last one whose tags it has. */
const PHASES: readonly (Conditions & { tags: readonly Tag[] })[] = [
  // Many of them wait for timers.
  { name: 'unit', tags: [], jobs: 2 * cpus().length, timeout: 120, containers: false },
  { name: 'long', tags: ['long'], jobs: 3, timeout: 720, containers: false },
  { name: 'containers', tags: ['containers'], jobs: cpus().length, timeout: 720, containers: true },
  { name: 'waiting', tags: ['containers', 'waiting'], jobs: 3, timeout: 720, containers: true },
  // Starting nodes, images and the control planes of one file one after another takes a third of that.
  { name: 'cluster', tags: ['containers', 'cluster'], jobs: 1, timeout: 1200, containers: true },
  { name: 'alone', tags: ['containers', 'alone'], jobs: 1, timeout: 720, containers: true },
];

/** Whether a pattern, a path prefix or a glob, matches this file. */
export function matches(file: string, pattern: string): boolean {
  return file.startsWith(pattern.replace(/^\.\//, '')) || minimatch(file, pattern);
}

/**
 * The phases selected by a command's arguments, which are patterns, also several separated by blanks; exits if one
 * matches nothing.
 */
export async function plan(args: readonly string[]): Promise<Phase[]> {
  try {
    return await phases(args.flatMap(arg => arg.split(/\s+/)).filter(Boolean));
  } catch (error) {
    console.error(`berth: ${(error as Error).message}`);
    return process.exit(2);
  }
}

/**
 * The test files that match any of `patterns`, or all if there are none, in phases, those without containers first.
 * Throws if a pattern matches nothing.
 */
export async function phases(patterns: readonly string[] = []): Promise<Phase[]> {
  const names = await readdir('test', { recursive: true });
  const files = names
    .map(name => `test/${name}`)
    .filter(name => name.endsWith('.test.ts'))
    .sort();
  for (const pattern of patterns) {
    if (!files.some(file => matches(file, pattern))) throw new Error(`no test file begins with or matches ${pattern}`);
  }
  const isWanted = (file: string) => patterns.length === 0 || patterns.some(pattern => matches(file, pattern));
  const tags = new Map(await Promise.all(files.map(async file => [file, await tagsOf(file)] as const)));
  const has = (tag: Tag) => (file: string) => tags.get(file)?.has(tag) === true;
  const phaseOf = (file: string) => PHASES.findLast(phase => phase.tags.every(tag => has(tag)(file)))?.name;
  return PHASES.flatMap(({ tags: _, ...conditions }) => {
    const all = files.filter(file => phaseOf(file) === conditions.name);
    const wanted = all.filter(isWanted);
    if (wanted.length === 0) return [];
    const [slow, rest] = [wanted.filter(has('slow')), wanted.filter(file => !has('slow')(file))];
    const random = new Set(wanted.filter(has('random')));
    return [{ ...conditions, files: [...slow, ...rest], random, whole: wanted.length === all.length }];
  });
}
