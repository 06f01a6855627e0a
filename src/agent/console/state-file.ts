import { readFile, stat, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** A file's version, which changes with each write; null if there is no file. */
export async function fileVersion(path: string): Promise<string | null> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs}/${size}/${ino}`;
  } catch {
    return null;
  }
}

/** Resolves with true when a file was rewritten and is complete, false after `timeoutMs` or when `ended` aborts. */
export async function isWrittenWithin(
  path: string,
  before: string | null,
  isWhole: (content: Buffer) => Promise<boolean>,
  timeoutMs: number,
  ended: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let looked = before;
  // Checked once more after the end, since the last write counts.
  for (let isOver = false; !isOver && performance.now() < deadline; isOver = ended.aborted) {
    await sleep(LOOK_EVERY_MS);
    const now = await fileVersion(path);
    if (now === looked || now === null) continue;
    looked = now;
    const content = await readFile(path).catch(() => null);
    if (content !== null && (await isWhole(content))) return true;
  }
  return false;
}

/** Makes later reads of the file detectable, by setting its access time to 1970. */
export async function markUnread(path: string): Promise<void> {
  await utimes(path, 0, new Date());
}

/** Resolves with true when a file that was marked has been read, false after `timeoutMs` or when `ended` aborts. */
export async function isReadWithin(path: string, timeoutMs: number, ended: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while ((await stat(path)).atimeMs === 0) {
    if (ended.aborted || performance.now() >= deadline) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}
