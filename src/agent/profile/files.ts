import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';

/** What a kind of session keeps in a profile. */
export interface ProfileContent {
  /** The folder that it is in. */
  readonly folder: string;
  /** Whether a path below the folder, which `isPlain` and is a folder or file, belongs in a profile. */
  keeps(path: string): boolean;
}

/** A file or folder of a profile; `path` is relative to the folder of its content. */
export interface ProfileFile {
  readonly path: string;
  readonly folder: boolean;
  readonly size: number;
  readonly changed: number;
}

/** Whether a path belongs in a profile archive and stays within its folder; nothing else is packed or unpacked. */
export function isKept(content: ProfileContent, path: string): boolean {
  const isPlain = path.split('/').every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
  return isPlain && content.keeps(path);
}

/** The files of a profile to be saved, folders before their content. Links and the like are left out. */
export async function profileFiles(content: ProfileContent): Promise<ProfileFile[]> {
  const { folder } = content;
  const found: ProfileFile[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const name of (await readdir(`${folder}/${below}`).catch(() => [])).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      if (!isKept(content, path)) continue;
      // Files removed meanwhile are no longer part of it.
      const entry = await lstat(`${folder}/${path}`).catch(() => null);
      if (entry?.isDirectory()) {
        found.push({ path, folder: true, size: 0, changed: 0 });
        await walk(path);
      } else if (entry?.isFile()) {
        found.push({ path, folder: false, size: entry.size, changed: entry.mtimeMs });
      }
    }
  };
  await walk('');
  return found;
}

/** A fingerprint of the files that changes when any of them does, as an HTTP entity tag. */
export function versionOf(files: readonly ProfileFile[]): string {
  const hash = createHash('sha256');
  for (const { path, size, changed } of files) hash.update(`${path}\0${size}\0${changed}\n`);
  return `"${hash.digest('base64url')}"`;
}
