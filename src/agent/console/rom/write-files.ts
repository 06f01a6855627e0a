import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file in what several follow each other in. */
export interface FileInContent {
  /** Where it is written to; null: nowhere. */
  readonly path: string | null;
  readonly bytes: number;
}

/** Writes the files that follow each other in `content`. Resolves with whether they were just what was in it. */
export async function writeFiles(content: AsyncIterable<Buffer>, files: readonly FileInContent[]): Promise<boolean> {
  const chunks = content[Symbol.asyncIterator]();
  // What a process has written is thrown away with it unless somebody reads it already.
  let following = chunks.next();
  let rest: Buffer = Buffer.alloc(0);
  let isWhole = true;
  const filled = async () => {
    while (rest.length === 0) {
      const step = await following;
      if (step.done === true) return false;
      rest = step.value;
      following = chunks.next();
      following.catch(() => undefined);
    }
    return true;
  };
  async function* next(bytes: number) {
    for (let left = bytes; left > 0;) {
      if (!(await filled())) {
        isWhole = false;
        return;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  for (const { path, bytes } of files) {
    if (path === null) {
      for await (const _ of next(bytes));
      continue;
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, next(bytes));
  }
  return isWhole && !(await filled());
}
