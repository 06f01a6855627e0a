/**
 * Runs inside a console's container, as `node inside-press.js PRESSES BUTTON`: presses a button of the first player in
 * the emulator itself and polls the X server until the picture has changed. Prints the milliseconds as JSON.
 */
import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { padPacket } from '../../src/agent/console/pads.js';
import { between } from './statistics.js';
import { XPixels } from './x11.js';

const PAD_PORT = 55400;
const LONGEST_MS = 3000;
const FAR = 40;

const [presses = 0, id = 0] = process.argv.slice(2).map(Number);
const socket = createSocket('udp4');
const pixels = await XPixels.connect('/tmp/.X11-unix/X0');
const spot = async () => (await pixels.at(320, 180)) ?? [0, 0, 0];
const idle = await spot();

const set = (down: boolean) =>
  new Promise(sent =>
    socket.send(padPacket({ type: 'pad', player: 0, control: 'button', id, down }), PAD_PORT, '127.0.0.1', sent),
  );

async function until(isChanged: boolean): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  for (;;) {
    const seen = await spot();
    if (seen.some((level, i) => Math.abs(level - (idle[i] ?? 0)) > FAR) === isChanged) return;
    if (performance.now() > end) throw new Error('the picture does not change');
  }
}

const taken: number[] = [];
for (let press = 0; press < presses; press++) {
  await sleep(between(120, 400));
  const began = performance.now();
  await set(true);
  await until(true);
  taken.push(performance.now() - began);
  await set(false);
  await until(false);
}
console.log(JSON.stringify(taken));
pixels.close();
socket.close();
