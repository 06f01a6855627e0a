import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHROMIUM, DEFAULT_PROFILE, PROFILE_FOLDER } from '../paths.js';

/** The socket on which a running Chromium is told what it was started with once more. */
const SOCKET = `${PROFILE_FOLDER}/SingletonSocket`;

/** Milliseconds between attempts to reach a Chromium that is starting. */
const RETRY_MS = 5;

/** Milliseconds for Chromium to start up and answer. */
const TIMEOUT_MS = 20_000;

const ANSWER = 'ACK';

/**
 * Opens a page in a new tab of the Chromium that runs or is starting, the way that starting it a second time with an
 * address does. It begins as that of its command line, with the same headers, and sooner than one that an extension
 * opens, which is there later, too. Resolves when Chromium has it. @throws Error if Chromium does not answer in time,
 * refuses, or `signal` aborts
 */
export async function openPage(url: string, given: AbortSignal, path = SOCKET): Promise<void> {
  const signal = AbortSignal.any([given, AbortSignal.timeout(TIMEOUT_MS)]);
  const socket = await reach(path, signal);
  try {
    // The folder is that of relative paths, of which there are none.
    socket.end(['START', '/', CHROMIUM, `--profile-directory=${DEFAULT_PROFILE}`, '--', url].join('\0'));
    const closed = once(socket, 'close', { signal }).then(() => [Buffer.alloc(0)]);
    const [answer] = (await Promise.race([once(socket, 'data', { signal }), closed])) as [Buffer];
    if (answer.toString('latin1') !== ANSWER) throw new Error('Chromium did not accept the page.');
  } finally {
    socket.destroy();
  }
}

/** Connects to a Chromium that may be starting. */
async function reach(path: string, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    signal.throwIfAborted();
    const socket = connect(path);
    try {
      await once(socket, 'connect', { signal });
      // Later errors end the wait for an answer.
      return socket;
    } catch {
      socket.destroy();
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}
