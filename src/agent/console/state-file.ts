import { readFile, stat, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** A file's version: it differs after each writing; null where there is none. */
export async function modified(path: string): Promise<string | null> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs}/${size}/${ino}`;
  } catch {
    return null;
  }
}

/** Resolves with true when a file was written anew and is whole, false after `timeoutMs`. */
export async function written(
  path: string,
  before: string | null,
  isWhole: (content: Buffer) => Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let looked = before;
  while (performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    const now = await modified(path);
    if (now === looked || now === null) continue;
    looked = now;
    if (await isWhole(await readFile(path))) return true;
  }
  return false;
}

/** Makes it known whether the file is read from now on: it was last read in 1970. */
export async function markUnread(path: string): Promise<void> {
  await utimes(path, 0, new Date());
}

/** Resolves with true when a file that was marked has been read, false after `timeoutMs`. */
export async function isReadWithin(path: string, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while ((await stat(path)).atimeMs === 0) {
    if (performance.now() >= deadline) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}
