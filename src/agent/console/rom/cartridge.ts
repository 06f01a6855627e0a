import { readFile, writeFile } from 'node:fs/promises';
import type { ConsoleKind } from '../../../protocol/generated/schemas.js';
import { inChipOrder, isInChipOrder } from './cartridge-n64.js';
import { COPIER_HEADER_BYTES, hasCopierHeader } from './header.js';

/** Null: nothing is to be changed. */
const CHANGES: Readonly<Partial<Record<ConsoleKind, (content: Buffer) => Buffer | null>>> = {
  snes: content => (hasCopierHeader(content.length) ? content.subarray(COPIER_HEADER_BYTES) : null),
  n64: content => (isInChipOrder(content) ? null : inChipOrder(content)),
};

/** Rewrites the file of a cartridge as what is on its chip, so that a game is the same however it was read. */
export async function asOnChip(kind: ConsoleKind, path: string): Promise<void> {
  const change = CHANGES[kind];
  if (change === undefined) return;
  const content = await readFile(path);
  const changed = change(content);
  if (changed !== null) await writeFile(path, changed);
}
