import { statfs } from 'node:fs/promises';

/** Share of a file system that one purpose may use, so that others keep working. */
const SHARE = 0.4;

/** Maximum total size of files in this folder, bytes. */
export async function budgetOf(folder: string): Promise<number> {
  const { blocks, bsize } = await statfs(folder);
  return Math.floor(blocks * bsize * SHARE);
}
