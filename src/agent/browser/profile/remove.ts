import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { POLICY_FOLDER } from '../paths.js';

/** The folders that Chromium can write to, and what other programs and viewers have in them. */
const PLACES: readonly (readonly [folder: string, others: RegExp])[] = [
  ['/home/berth', /^\.(cache|config)$/],
  ['/home/berth/.cache', /^openbox$/],
  ['/home/berth/.config', /^pulse$/],
  ['/tmp', /^(\.X.*|downloads|uploads)$/],
  ['/dev/shm', /^(?!\.?org\.chromium\.)/],
];

/** Removes all files of a browser that has ended: profile, extensions, policies, caches, temporary files. */
export async function removeBrowserFiles(): Promise<void> {
  await Promise.all([remove(POLICY_FOLDER), ...PLACES.map(([folder, others]) => empty(folder, others))]);
}

async function empty(folder: string, others: RegExp): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.flatMap(name => (others.test(name) ? [] : [remove(join(folder, name))])));
}

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });
