import { readdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { minimatch } from 'minimatch';
import { longestFirst } from './durations.js';

/** A group of test files that run under the same conditions. */
export interface Phase {
  name: string;
  /** In the order in which they begin. */
  files: string[];
  /** Whether these are all the files of the phase. */
  whole: boolean;
  /** Number of concurrent processes. */
  jobs: number;
  /** Whether each file gets its own process. */
  apart: boolean;
  /** Time limit of one file, seconds: ends what hangs, since some machines take three times as long as others. */
  timeout: number;
  /** Whether the tests need a container engine, the images and the built service. */
  containers: boolean;
  /** Whether the tests measure times or take all processors, so that nothing else may run meanwhile. */
  alone?: boolean;
  /** Whether the files share a Kubernetes cluster. */
  cluster?: boolean;
}

/** Tests of containers that wait for deadlines and restarts most of their time, and measure none shorter than seconds. */
const WAITING = [
  'agent/console',
  'images/packages',
  'profiles/console-saving',
  'profiles/saving',
  'service/android',
  'service/android-errors',
  'service/console-crash',
  'service/console-roms',
  'service/egress',
  'service/faults',
  'service/outage',
  'service/regions',
  'service/startup',
  'service/timeouts',
  'service/unanswered',
].map(name => `test/containers/${name}.test.ts`);

/** Tests that measure frames, sound or times of less than three seconds, and must not compete for processors. */
const MEASURING = [
  'browser/android-joining',
  'browser/console-sound',
  'browser/picture',
  'browser/player-session',
  'browser/player-video',
  'browser/sdk-media',
  'browser/sound',
  'browser/touch',
  'browser/viewers',
  'containers/agent/console-pace',
  'containers/agent/files',
  'containers/agent/screenshot',
  'containers/agent/search-engine',
  'containers/agent/takeover-console',
  'containers/display/robustness',
  'containers/display/sound',
  'containers/display/video',
  'containers/service/agent-killed-console',
  'containers/service/layers',
  'containers/service/rate',
].map(name => `test/${name}.test.ts`);

/** Kinds of tests, in the order in which they run; a file belongs to the last one that `has` it. */
const KINDS: (Omit<Phase, 'files' | 'whole'> & { has: (file: string) => boolean })[] = [
  // Many of them wait for timers.
  { name: 'unit', has: () => true, jobs: 2 * cpus().length, apart: false, timeout: 120, containers: false },
  // They wait, or compute on one processor; what they measure is memory and counts.
  {
    name: 'fuzz and load',
    has: file => /^test\/(fuzz|load)\//.test(file),
    jobs: 3,
    apart: true,
    timeout: 720,
    containers: false,
  },
  {
    name: 'containers',
    has: file => file.startsWith('test/containers/'),
    jobs: cpus().length,
    apart: true,
    timeout: 720,
    containers: true,
  },
  {
    name: 'browser',
    has: file => file.startsWith('test/browser/'),
    jobs: cpus().length,
    apart: true,
    timeout: 720,
    containers: true,
  },
  {
    name: 'waiting',
    has: file => WAITING.includes(file),
    jobs: 3,
    apart: true,
    timeout: 720,
    containers: true,
    alone: true,
  },
  {
    name: 'kubernetes',
    has: file => file.startsWith('test/kubernetes/'),
    jobs: 1,
    apart: true,
    // Starting nodes, images and twenty control planes one after another takes one of them a third of that.
    timeout: 1200,
    containers: true,
    cluster: true,
  },
  {
    name: 'measuring',
    has: file => MEASURING.includes(file),
    jobs: 1,
    apart: true,
    timeout: 720,
    containers: true,
    alone: true,
  },
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
  return KINDS.flatMap(({ has: _, ...phase }) => {
    const all = files.filter(file => KINDS.findLast(kind => kind.has(file))?.name === phase.name);
    const wanted = longestFirst(all.filter(isWanted));
    return wanted.length === 0 ? [] : [{ ...phase, files: wanted, whole: wanted.length === all.length }];
  });
}
