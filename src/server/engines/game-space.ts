import type { RomConfig } from '../config/index.js';
import type { Kind } from '../model/index.js';

/**
 * Space per game, in tenths of the largest one: packed and unpacked together, or a disc and its copy in longer sectors
 * (2352 instead of 2048 bytes).
 */
const TENTHS = 22;

/** Memory that a game may take on top of the session's limit, MiB; 0 if the kind has no games. */
export function gameSpaceMb(kind: Kind, { maxBytes }: Pick<RomConfig, 'maxBytes'>): number {
  return kind.game ? Math.ceil((TENTHS * maxBytes) / 2 ** 20 / 10) + 1 : 0;
}
