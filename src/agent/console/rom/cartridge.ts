import { readFile, writeFile } from 'node:fs/promises';
import type { ConsoleKind } from '../../../protocol/generated/schemas.js';
import { COPIER_HEADER_BYTES, hasCopierHeader } from './header.js';

/** What makes the chip's order of the bytes out of others, by the first two bytes of a cartridge of the n64. */
const ORDERS: Readonly<Record<string, (whole: Buffer) => Buffer>> = {
  3780: whole => whole.swap16(),
  4012: whole => whole.swap32(),
  1240: whole => whole.swap32().swap16(),
};

/** Null: nothing is to be changed. */
const CHANGES: Readonly<Partial<Record<ConsoleKind, (content: Buffer) => Buffer | null>>> = {
  snes: content => (hasCopierHeader(content.length) ? content.subarray(COPIER_HEADER_BYTES) : null),
  n64: content => {
    const swap = ORDERS[content.toString('hex', 0, 2)];
    if (swap === undefined) return null;
    swap(content.subarray(0, content.length - (content.length % 4)));
    return content;
  },
};

/** Rewrites the file of a cartridge as what is on its chip, so that a game is the same however it was read. */
export async function asOnChip(kind: ConsoleKind, path: string): Promise<void> {
  const change = CHANGES[kind];
  if (change === undefined) return;
  const content = await readFile(path);
  const changed = change(content);
  if (changed !== null) await writeFile(path, changed);
}
