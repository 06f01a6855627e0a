import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CONSOLE_PORT } from './command.js';

/** How long the console may take to answer, milliseconds. */
const PATIENCE = 3000;

/** A place on earth: degrees, and the altitude in metres above sea level. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude?: number | undefined;
}

/**
 * Sets the location of the emulator's device by the emulator's console. `home`: where the emulator keeps the console's
 * token. Rejects with the console's answer if that is an error.
 */
export async function moveTo({ latitude, longitude, altitude }: Place, home: string): Promise<void> {
  const token = (await readFile(join(home, '.emulator_console_auth_token'), 'utf8')).trim();
  const commands = [`auth ${token}`, ['geo fix', longitude, latitude, altitude ?? 0].join(' ')];
  const socket = connect({ host: '127.0.0.1', port: CONSOLE_PORT });
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    await once(socket, 'connect', { signal });
    const lines = createInterface({ input: socket, signal });
    // It greets with an OK, and answers each command with OK or KO.
    for await (const line of lines) {
      if (line.startsWith('KO')) throw new Error(line);
      if (line !== 'OK') continue;
      const command = commands.shift();
      if (command === undefined) return;
      socket.write(`${command}\r\n`);
    }
    throw new Error('the console closed the connection');
  } finally {
    socket.destroy();
  }
}
