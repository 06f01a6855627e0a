import { stat } from 'node:fs/promises';
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

/** Resolves with true when a file was written anew and its size holds still, false after `timeoutMs`. */
export async function changed(path: string, before: string | null, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let seen = before;
  while (performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    const now = await modified(path);
    if (now !== null && now !== before && now === seen) return true;
    seen = now;
  }
  return false;
}
