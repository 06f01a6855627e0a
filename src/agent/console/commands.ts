import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from './emulator.js';

const HOST = '127.0.0.1';
const PORT = 55355;
const ANSWER_TIMEOUT_MS = 1000;

/** Time limit for an emulator to obey, ms: on a busy machine a frame takes long. */
const OBEY_TIMEOUT_MS = 5000;
const LOOK_EVERY_MS = 20;

/** Sends the emulator a command that it does not answer. */
export function command(text: string): Promise<void> {
  const socket = createSocket('udp4');
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.send(text, PORT, HOST, error => {
      socket.close();
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Sends the emulator a command and resolves with its answer; null if none arrived within a second. */
export function ask(text: string, port = PORT): Promise<string | null> {
  const socket = createSocket('udp4');
  return new Promise(resolve => {
    let isDone = false;
    const done = (answer: string | null) => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => done(null), ANSWER_TIMEOUT_MS);
    socket.on('message', message => done(message.toString().trim()));
    // If nobody listens on the port, the socket reports an error.
    socket.on('error', () => done(null));
    socket.connect(port, HOST, () => isDone || socket.send(text));
  });
}

/** Asks the emulator whether it plays. */
export async function askStatus(): Promise<Status> {
  const answer = await ask('GET_STATUS');
  if (answer?.startsWith('GET_STATUS PLAYING')) return 'playing';
  return answer?.startsWith('GET_STATUS PAUSED') ? 'paused' : null;
}

/**
 * Polls the emulator until its game is paused, or plays, as wanted, or it has `ended`; resolves with whether the status
 * was reached. `otherwise` is called after each answer with another status.
 */
export async function reachesStatus(
  wanted: Status,
  ended: AbortSignal,
  otherwise: () => Promise<void> = async () => undefined,
): Promise<boolean> {
  const deadline = performance.now() + OBEY_TIMEOUT_MS;
  while (!ended.aborted && performance.now() < deadline) {
    const status = await askStatus();
    if (status === wanted) return true;
    if (status !== null) await otherwise();
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}
