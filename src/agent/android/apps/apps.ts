import { createReadStream } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { Adb } from '@yume-chan/adb';
import type { ReadableStream } from '@yume-chan/stream-extra';
import type { Shell } from '../../../adb/shell.js';
import { isInstalled, type Device } from '../device/device.js';
import { DeviceProblem } from '../device/problem.js';

/** Folder of the agent's own files on a device. */
export const DEVICE_FOLDER = '/data/local/tmp/berth';

/** Folder of viewers' files. */
const DOWNLOADS = '/sdcard/Download';

/** How long an installation may take, milliseconds: large apps are compiled meanwhile. */
const INSTALL_PATIENCE = 180_000;

/** IDs of apps; everything else that could reach a shell is quoted. */
const APP_ID = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+$/;

/** Whether a text is the ID of an app. */
export const isAppId = (text: string): boolean => text.length <= 255 && APP_ID.test(text);

/** Copies a file to the device. */
async function push(adb: Adb, file: string, filename: string): Promise<void> {
  const sync = await adb.sync();
  try {
    await sync.write({
      filename,
      file: Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>,
    });
  } finally {
    await sync.dispose();
  }
}

/** Copies a file to the device's downloads. */
export const pushDownload = ({ adb }: Device, file: string): Promise<void> =>
  push(adb, file, `${DOWNLOADS}/${basename(file)}`);

/** Installs an APK; returns the app's ID, if the device tells. @throws DeviceProblem if the device refuses it */
export async function install({ adb, shell }: Device, file: string): Promise<string | undefined> {
  const before = await installedPaths(shell);
  const there = `${DEVICE_FOLDER}/${randomBytes(8).toString('hex')}.apk`;
  await push(adb, file, there);
  const { text } = await shell
    .run(['pm', 'install', '-r', '-g', there], INSTALL_PATIENCE)
    .finally(() => void shell.run(['rm', '-f', there]).catch(() => undefined));
  if (!/^Success/m.test(text)) {
    const reason = /Failure \[([^\]:]{1,100})/.exec(text)?.[1];
    throw new DeviceProblem(
      'install_failed',
      `The device did not install the app${reason === undefined ? '' : `: ${reason}`}.`,
    );
  }
  const after = await installedPaths(shell);
  return [...after.keys()].find(app => after.get(app) !== before.get(app));
}

/** Path of each app by its ID, which changes when an app is installed again. */
async function installedPaths(shell: Shell): Promise<Map<string, string>> {
  const list = await shell.ask(['pm', 'list', 'packages', '-f']);
  return new Map(
    list.split('\n').flatMap((line): [string, string][] => {
      const [, path, app] = /^package:(.*)=([^=]*)$/.exec(line.trim()) ?? [];
      return path === undefined || app === undefined ? [] : [[app, path]];
    }),
  );
}

/** Opens an app, or its page in the store if it is not installed. @throws DeviceProblem if there is neither */
export async function openApp({ shell, state }: Device, app: string): Promise<void> {
  if (!isAppId(app)) throw new DeviceProblem('app_not_available', 'This is not the ID of an app.');
  if (await isInstalled(shell, app)) {
    const { status, text } = await shell.run(['monkey', '-p', app, '-c', 'android.intent.category.LAUNCHER', '1']);
    if (status === 0 && !/No activities found/.test(text)) return;
    throw new DeviceProblem('app_not_available', `The app ${app} has nothing that could be opened.`);
  }
  if (!state.store)
    throw new DeviceProblem('app_not_available', `The app ${app} is not installed, and the device has no store.`);
  await openAddress({ shell }, `market://details?id=${app}`);
}

/** Opens an address in the app that is responsible for it. @throws DeviceProblem if there is none */
export async function openAddress({ shell }: Pick<Device, 'shell'>, address: string): Promise<void> {
  const { status, text } = await shell.run(['am', 'start', '-a', 'android.intent.action.VIEW', '-d', address]);
  if (status !== 0 || /^Error/m.test(text))
    throw new DeviceProblem('app_not_available', 'The device has no app that opens this address.');
}
