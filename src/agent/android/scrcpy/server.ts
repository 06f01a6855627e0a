import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Adb } from '@yume-chan/adb';
import { AdbScrcpyClient, AdbScrcpyExitedError, type AdbScrcpyOptions3_3_3 } from '@yume-chan/adb-scrcpy';
import type { ReadableStream } from '@yume-chan/stream-extra';
import { DeviceProblem } from '../device/problem.js';
import { serverOptions, type ServerPurpose } from './options.js';

/** Path of the server's file on the device. */
const THERE = '/data/local/tmp/berth/scrcpy-server.jar';

/** A running scrcpy server. */
export type ScrcpyServer = AdbScrcpyClient<AdbScrcpyOptions3_3_3<boolean>>;

/** Copies the server's file to the device. @throws DeviceProblem if the image has none */
export async function pushServer(adb: Adb, file: string): Promise<void> {
  await access(file).catch(() => {
    throw new DeviceProblem('scrcpy_missing', 'The image of this session has no scrcpy server.');
  });
  const content = Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;
  await AdbScrcpyClient.pushServer(adb, content, THERE);
}

/** Starts a server; resolves when it has connected. @throws DeviceProblem if there is none, or another version */
export async function startServer(adb: Adb, purpose: ServerPurpose): Promise<ScrcpyServer> {
  // 31 bits: the server reads a signed number.
  const id = (randomBytes(4).readUInt32BE() >>> 1).toString(16).padStart(8, '0');
  try {
    const server = await AdbScrcpyClient.start(adb, THERE, serverOptions(purpose, id));
    // Unread output would block everything else.
    void server.output.pipeTo(new WritableStream() as never).catch(() => undefined);
    return server;
  } catch (error) {
    throw (error instanceof AdbScrcpyExitedError && problemOf(error.output.join('\n'))) || error;
  }
}

function problemOf(output: string): DeviceProblem | null {
  if (/does not match the client/.test(output))
    return new DeviceProblem(
      'scrcpy_mismatch',
      'The scrcpy server of this session has another version than its agent.',
    );
  if (/ClassNotFound|inaccessible or not found|app_process: not found/.test(output))
    return new DeviceProblem('scrcpy_missing', 'The device cannot run the scrcpy server.');
  return null;
}
