import { createHash } from 'node:crypto';

/** A game on the disk that is not what was downloaded. */
export class DamagedRom extends Error {
  override readonly name = 'DamagedRom';
}

/**
 * Lets a game through whose SHA-256 (hex) is this one. Its last piece comes only then, so that nobody takes a damaged
 * one for whole.
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
