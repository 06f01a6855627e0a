import { readdir } from 'node:fs/promises';
import { cpus } from 'node:os';

/** A group of test files that run under the same conditions. */
export interface Phase {
  name: string;
  files: string[];
  jobs: number;
  /** Seconds that one file may take. */
  timeout: number;
  /** Whether the tests need a container engine, the images and the built service. */
  containers: boolean;
}

/** The test files whose path begins with `prefix`, in phases: the quick ones first. */
export async function phases(prefix = 'test/'): Promise<Phase[]> {
  const names = await readdir('test', { recursive: true });
  const files = names
    .map(name => `test/${name}`)
    .filter(name => name.endsWith('.test.ts') && name.startsWith(prefix))
    .sort();
  const isContainer = (file: string) => file.startsWith('test/containers/');
  const isLong = (file: string) => /^test\/(fuzz|load)\//.test(file);
  const isBrowser = (file: string) => file.startsWith('test/browser/');
  const all: Phase[] = [
    {
      name: 'unit',
      files: files.filter(file => !isContainer(file) && !isBrowser(file) && !isLong(file)),
      jobs: Math.max(2, cpus().length),
      timeout: 300,
      containers: false,
    },
    { name: 'fuzz and load', files: files.filter(isLong), jobs: 1, timeout: 420, containers: false },
    // These measure times, so that they must not take each other's processor.
    { name: 'containers', files: files.filter(isContainer), jobs: 1, timeout: 420, containers: true },
    { name: 'browser', files: files.filter(isBrowser), jobs: 1, timeout: 420, containers: true },
  ];
  return all.filter(phase => phase.files.length > 0);
}
