import { setTimeout as pause } from 'node:timers/promises';
import { decode } from 'fast-png';
import type { Test } from 'tap';
import type { LaunchConsole } from '../../../src/protocol/generated/schemas.js';
import { encodePad } from '../../../src/protocol/pad.js';
import { colourOf, type Colour } from '../../fixtures/consoles/hue.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { Service } from './service.js';

export type Kind = LaunchConsole['kind'];

const launchOf = (kind: Kind, width: number, height: number): LaunchConsole => ({
  type: 'launch',
  kind,
  display: { width, height, fps: 60, max_area: 1280 * 720, quality: 'smooth', hide_cursor: false },
  console: { max_bytes: 64e6 },
});

/** What the colours of the slow cards are called, the last one is a dark brown. */
const ORDER: readonly Colour[] = ['blue', 'white', 'cyan', 'black'];

/** Between two looks, ms: looks take processors from the game, and it shows no colour for less than three times that. */
const REST_MS = 50;

/** How many times within `ms` the picture of a slow card was another one, those between two looks included. */
export async function stepsOf(colour: () => Promise<Colour | null>, ms: number): Promise<number> {
  const place = async () => ORDER.indexOf((await colour()) ?? 'black');
  let count = 0;
  const end = Date.now() + ms;
  for (let before = await place(); Date.now() < end;) {
    const now = await place();
    count += (now - before + ORDER.length) % ORDER.length;
    before = now;
    await pause(REST_MS);
  }
  return count;
}

/** Asks the emulator whether it plays. */
export const ASK_STATUS = `
const socket = require('dgram').createSocket('udp4').on('message', answer => { console.log(String(answer)); socket.close(); });
socket.send('GET_STATUS', 55355, '127.0.0.1');
setTimeout(() => process.exit(), 2000).unref();`;

/** A console without a game, and hands on it. */
export async function start(t: Test, kind: Kind, { width = 1280, height = 720 } = {}) {
  const computer = await Computer.start(t, { image: 'console' });
  const service = await Service.connect(t, computer);
  const request = async (method: 'GET' | 'PUT', path: string, body?: Uint8Array) => {
    const response = await computer.request(method, path, body);
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  const colour = async () => {
    const { status, bytes } = await request('GET', '/screenshot?width=64');
    // The display may still be starting.
    if (status !== 200) return null;
    const { data, width, height } = decode(bytes);
    const at = ((height >> 1) * width + (width >> 1)) * 3;
    return colourOf([...data.slice(at, at + 3)]);
  };
  service.tell(launchOf(kind, width, height));
  return {
    computer,
    service,
    insert: async (content: Uint8Array, name: string) => {
      const { status, bytes } = await request('PUT', `/rom?name=${encodeURIComponent(name)}`, content);
      return {
        status,
        message: bytes.length === 0 ? '' : (JSON.parse(Buffer.from(bytes).toString()) as { message: string }).message,
      };
    },
    button: (id: number, down: boolean, player = 0) =>
      service.send(encodePad({ type: 'pad', player, control: 'button', id, down })),
    shows: (...wanted: Colour[]) =>
      until(`the picture is ${wanted.join(' or ')}`, async () => wanted.includes((await colour()) as Colour)),
    colour,
  };
}
