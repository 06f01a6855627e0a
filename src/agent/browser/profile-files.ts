import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';

/** What a profile is saved and loaded with, directly below Chromium's data folder. */
const TOP: readonly string[] = ['Default', 'Local State'];

/** Chromium makes these again. */
const CACHES = new Set([
  'Cache',
  'Code Cache',
  'GPUCache',
  'DawnCache',
  'DawnGraphiteCache',
  'DawnWebGPUCache',
  'GrShaderCache',
  'GraphiteDawnCache',
  'ShaderCache',
  'Shared Dictionary',
  'blob_storage',
  'optimization_guide_hint_cache_store',
  'optimization_guide_model_store',
  'BudgetDatabase',
  'Safe Browsing Network',
  'Site Characteristics Database',
  'Segmentation Platform',
  'LOCK',
  'LOG',
  'LOG.old',
]);

/** A file or folder of a profile; `path` is relative to Chromium's data folder. */
export interface ProfileFile {
  readonly path: string;
  readonly folder: boolean;
  readonly size: number;
  readonly changed: number;
}

/** Whether a path belongs into an archive of a profile; nothing else is packed or unpacked. */
export function isKept(path: string): boolean {
  const parts = path.split('/');
  const plain = parts.every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
  return plain && TOP.includes(parts[0] ?? '') && !parts.some(part => CACHES.has(part));
}

/** What of a profile is saved, folders before what is in them. Links and the like are left out. */
export async function profileFiles(folder: string): Promise<ProfileFile[]> {
  const found: ProfileFile[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const name of (await readdir(`${folder}/${below}`).catch(() => [])).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      if (!isKept(path)) continue;
      // What Chromium has removed meanwhile is not part of it any more.
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

/** A text that changes when any of the files does, as an HTTP entity tag. */
export function versionOf(files: readonly ProfileFile[]): string {
  const hash = createHash('sha256');
  for (const { path, size, changed } of files) hash.update(`${path}\0${size}\0${changed}\n`);
  return `"${hash.digest('base64url')}"`;
}
