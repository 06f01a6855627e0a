import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RouteError } from '../../link/routes.js';
import type { ProfileContent } from '../../profile/archive.js';
import { AVD, AVD_FOLDER } from './avd.js';
import { installed } from './installed.js';

/** Name of the file with the system image and emulator of the data, which others could not use. */
const FINGERPRINT = 'fingerprint';

/** The user's data on a virtual device: a disk and its files' keys, each with its initial state and the changes. */
const FILES: ReadonlySet<string> = new Set([
  FINGERPRINT,
  ...['userdata-qemu.img', 'encryptionkey.img'].flatMap(disk => [disk, `${disk}.qcow2`]),
]);

const FOLDER = join(AVD_FOLDER, `${AVD}.avd`);

/** The profile of a session with an emulator. */
export const userData: ProfileContent = {
  folder: FOLDER,
  keeps: path => FILES.has(path),
  async check() {
    const [saved, { fingerprint }] = await Promise.all([
      readFile(join(FOLDER, FINGERPRINT), 'utf8').catch(() => null),
      installed(),
    ]);
    if (saved === fingerprint) return;
    throw new RouteError(
      412,
      'profile_wrong_device',
      'The profile was saved with another system image or emulator than this one.',
    );
  },
};

/** Records the system image and emulator of this session's device. */
export async function noteFingerprint(): Promise<void> {
  await writeFile(join(FOLDER, FINGERPRINT), (await installed()).fingerprint);
}
