import { createHash } from 'node:crypto';

/** A cached game that differs from what was downloaded. */
export class DamagedRom extends Error {
  override readonly name = 'DamagedRom';
}

/**
 * Passes a game through while checking its SHA-256 (hex). The last piece is held back until the hash matches, so that
 * nobody takes a damaged game for a complete one.
 * @throws DamagedRom
 */
export async function* verified(content: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let last: Buffer | undefined;
  for await (const piece of content) {
    hash.update(piece);
    if (last !== undefined) yield last;
    last = piece;
  }
  if (hash.digest('hex') !== sha256) throw new DamagedRom('The game on the disk is damaged.');
  if (last !== undefined) yield last;
}
