import { escapeArg } from '@yume-chan/adb';
import type { Shell } from '../../../../adb/shell.js';
import type { ResetStep } from './step.js';

/** Files of its operator that a device may hold, and characters of their paths: they are kept in the store, and named to the device. */
const FILES_MAX = 500;
const PATHS_MAX = 50_000;

/** Milliseconds that looking through a device's storage may take. */
const PATIENCE = 60_000;

const FOLDER = /^\/(sdcard|data\/local\/tmp|storage\/[0-9A-F]{4}-[0-9A-F]{4})\/$/;

/** Where every app may write, or adb: shared storage, adb's own folder, memory cards. */
async function folders(shell: Shell): Promise<string[]> {
  const told = await shell.ask(['sh', '-c', 'ls -d /sdcard/ /data/local/tmp/ /storage/*-*/ 2>/dev/null || true']);
  return told
    .split('\n')
    .map(line => line.trim())
    .filter(line => FOLDER.test(line));
}

const inFolder = (shell: Shell, folder: string, script: string): Promise<string> =>
  shell.ask(['sh', '-c', `cd ${folder} && { ${script}; }`], PATIENCE);

/** Folders of apps, where their own data are: Android deletes them with those. */
const NOT_OF_APPS = `! -path './Android/data/*' ! -path './Android/obb/*'`;

/** Folders that Android makes in shared storage, where apps expect them; they stay when they are empty. */
const PUBLIC_FOLDERS = [
  ...['Alarms', 'Android', 'Audiobooks', 'DCIM', 'Documents', 'Download', 'Movies', 'Music', 'Notifications'],
  ...['Pictures', 'Podcasts', 'Recordings', 'Ringtones'],
];
const NOT_PUBLIC = `! \\( -type d \\( ${PUBLIC_FOLDERS.map(name => `-path ./${name}`).join(' -o ')} \\) \\)`;

/**
 * Files of a folder by size, time of their last change, and path. No program can set that time, so that a file of the
 * operator that a session wrote to counts as another one. `keep` leaves files out.
 */
async function list(shell: Shell, folder: string, keep = ''): Promise<string[]> {
  const find = `find . ! -type d ${NOT_OF_APPS} ${keep} -exec stat -c '%s %Z %n' {} + 2>/dev/null`;
  const told = await inFolder(shell, folder, `${find} | head -n ${FILES_MAX + 1}`);
  return told
    .split('\n')
    .filter(line => line !== '')
    .map(line => `${folder} ${line}`);
}

/** An item without its folder, `%s %Z %n`, and its path. */
const statOf = (item: string): string => item.slice(item.indexOf(' ') + 1);
const pathOf = (item: string): string => statOf(item).replace(/^\d+ \d+ /, '');

/** A path for find's -path, where some characters stand for others. */
const exactly = (path: string): string => escapeArg(path.replace(/[\\*?[\]]/g, '\\$&'));

/** For find: none of the files in `before` that are as they were. */
async function keeping(shell: Shell, folder: string, before: ReadonlySet<string>): Promise<string> {
  const own = [...before].filter(item => item.startsWith(`${folder} `));
  if (own.length === 0) return '';
  // Asked by name, since a session may have made more files than a list would hold.
  const paths = own.map(item => escapeArg(pathOf(item))).join(' ');
  const now = (await inFolder(shell, folder, `stat -c '%s %Z %n' ${paths} 2>/dev/null; true`)).split('\n');
  return own
    .filter(item => now.includes(statOf(item)))
    .map(item => `! -path ${exactly(pathOf(item))}`)
    .join(' ');
}

/** Photos, music, downloads and whatever else is outside of apps' own folders. */
export const files: ResetStep = {
  name: 'files',
  async note(shell) {
    const found: string[] = [];
    for (const folder of await folders(shell)) found.push(...(await list(shell, folder)));
    if (found.length > FILES_MAX || found.join('').length > PATHS_MAX)
      throw new Error(`the device has more than ${FILES_MAX} files of its operator, or paths that are too long`);
    return found;
  },
  async clear(shell, before) {
    const left: string[] = [];
    for (const folder of await folders(shell)) {
      const keep = await keeping(shell, folder, before);
      // Of folders only those go that are empty then.
      await inFolder(shell, folder, `find . -mindepth 1 -depth ${keep} ${NOT_PUBLIC} -delete 2>/dev/null; true`);
      left.push(...(await list(shell, folder, keep)).map(item => `${folder}${pathOf(item)}`));
    }
    return left;
  },
};
