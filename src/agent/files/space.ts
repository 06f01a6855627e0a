import { statfs } from 'node:fs/promises';

/** Share of a file system that one purpose may fill: what else is on it must go on working. */
const SHARE = 0.4;

/** Bytes that files in this folder may take in all. */
export async function budgetOf(folder: string): Promise<number> {
  const { blocks, bsize } = await statfs(folder);
  return Math.floor(blocks * bsize * SHARE);
}
