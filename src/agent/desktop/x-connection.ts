import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The start of a connection: little endian, protocol 11.0, no authorization. */
const SETUP = Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const SUCCESS = 1;

const RETRY_MS = 20;

/** Resolves when the X server at a socket accepts connections. Rejects after `timeout` milliseconds. */
export async function answers(socket: string, timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  while (!(await takes(socket, deadline - performance.now()))) {
    if (performance.now() >= deadline) throw new Error('The X server accepts no connections.');
    await sleep(RETRY_MS);
  }
}

async function takes(path: string, timeout: number): Promise<boolean> {
  const connection = createConnection(path);
  try {
    connection.write(SETUP);
    const [reply] = (await once(connection, 'data', {
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(timeout))),
    })) as [Buffer];
    return reply[0] === SUCCESS;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}
