import { createSocket } from 'node:dgram';
import type { Status } from './emulator.js';

const HOST = '127.0.0.1';
const PORT = 55355;
const ANSWER_TIMEOUT_MS = 1000;

/** Sends the emulator a command that it does not answer. */
export function command(text: string): Promise<void> {
  const socket = createSocket('udp4');
  return new Promise((resolve, reject) => {
    socket.send(text, PORT, HOST, error => {
      socket.close();
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Sends the emulator a command and resolves with its answer; null where none came in a second. */
function ask(text: string): Promise<string | null> {
  const socket = createSocket('udp4');
  return new Promise(resolve => {
    const done = (answer: string | null) => {
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => done(null), ANSWER_TIMEOUT_MS);
    socket.once('message', message => done(message.toString().trim()));
    // A port that nobody listens on shows as an error of the socket.
    socket.once('error', () => done(null));
    socket.connect(PORT, HOST, () => socket.send(text));
  });
}

/** Asks the emulator whether it plays. */
export async function askStatus(): Promise<Status> {
  const answer = await ask('GET_STATUS');
  if (answer?.startsWith('GET_STATUS PLAYING')) return 'playing';
  return answer?.startsWith('GET_STATUS PAUSED') ? 'paused' : null;
}
