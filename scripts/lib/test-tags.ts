import { readFile } from 'node:fs/promises';

/**
 * What a test file may say in its first line of what it needs to be run, such as `// tags: containers, alone`. A file
 * without tags needs Node.js alone and ends within two minutes.
 */
export const TAGS = {
  /** Takes minutes without any container: `make unit` leaves it out. */
  long: 'long',
  /** Needs a container engine, the images and the built service. */
  containers: 'containers',
  /** Needs a Kubernetes cluster, too, which such files use one after the other. */
  cluster: 'cluster',
  /** Waits for deadlines and restarts most of its time, and measures none shorter than seconds. */
  waiting: 'waiting',
  /** Measures frames, sound or times of less than three seconds, or takes all processors: nothing may run beside it. */
  alone: 'alone',
  /** Draws at random what it tries: it is never run again, since another try would be another test. */
  random: 'random',
  /** Takes more than a minute: begins before the others, so that those beside each other end together. */
  slow: 'slow',
} as const;

export type Tag = keyof typeof TAGS;

const LINE = /^\/\/ tags: ([a-z, ]+)\n/;

/** The tags in the source of a test file. Throws if one is unknown, naming the file. */
export function tagsIn(source: string, file: string): ReadonlySet<Tag> {
  const names = LINE.exec(source)?.[1]?.split(', ') ?? [];
  const unknown = names.find(name => !(name in TAGS));
  if (unknown !== undefined)
    throw new Error(`${file}: there is no tag "${unknown}"; use ${Object.keys(TAGS).join(', ')}`);
  return new Set(names as Tag[]);
}

/** The tags of a test file. */
export const tagsOf = async (file: string): Promise<ReadonlySet<Tag>> => tagsIn(await readFile(file, 'utf8'), file);
