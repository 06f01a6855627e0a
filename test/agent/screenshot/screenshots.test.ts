import { decode } from 'fast-png';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { serve } from '../../../src/agent/link/routes.js';
import { Screenshots } from '../../../src/agent/screenshot/screenshots.js';

const log = { info: () => undefined, warn: () => undefined };

/** A piece of a picture as the display helper sends it, all in one colour. */
function piece(width: number, height: number, top: number, count: number, colour: number): Buffer {
  const body = Buffer.alloc(4 + 7 + width * 3 * count, colour);
  body.fill(0, 0, 4);
  body.writeUInt8(0x0b, 4);
  [width, height, top].forEach((value, at) => body.writeUInt16LE(value, 5 + at * 2));
  return body;
}

/** The route behind a real server, with a helper that the test plays. */
async function start(t: Test, displayWidth: number | null = 64) {
  const asked: number[] = [];
  const screenshots = new Screenshots({
    ask: width => void asked.push(width),
    displayWidth: () => displayWidth ?? undefined,
    byDevice: () => false,
  });
  const server = createServer((request, response) => void serve([screenshots.route], request, response, log)).listen(0);
  await once(server, 'listening');
  t.teardown(() => server.close());
  const get = async (query = '') => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://localhost:${port}/screenshot${query}`);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  };
  const isAsked = async (count: number) => {
    while (asked.length < count) await new Promise(resolve => setImmediate(resolve));
  };
  return { asked, screenshots, get, isAsked };
}

t.test("the helper's pieces become a PNG", async t => {
  const { asked, screenshots, get, isAsked } = await start(t);
  const answer = get('?width=32');
  await isAsked(1);
  t.same(asked, [32]);
  screenshots.piece(piece(32, 18, 0, 10, 7));
  screenshots.piece(piece(32, 18, 10, 8, 9));
  const { status, type, bytes } = await answer;
  t.same([status, type], [200, 'image/png']);
  const png = decode(bytes);
  t.same([png.width, png.height, png.data[0], png.data.at(-1)], [32, 18, 7, 9]);
});

t.test('pictures are taken one at a time; remains of an old one are ignored', async t => {
  const { asked, screenshots, get, isAsked } = await start(t);
  const answers = [get(), get('?width=16')];
  await isAsked(1);
  t.equal(asked.length, 1);
  screenshots.piece(piece(64, 2, 1, 1, 1));
  screenshots.piece(piece(64, 2, 0, 2, 2));
  await isAsked(2);
  screenshots.piece(piece(64, 2, 1, 1, 3));
  screenshots.piece(piece(16, 1, 0, 1, 4));
  const colours = (await Promise.all(answers)).map(({ bytes }) => decode(bytes).data[0]);
  t.same(colours.sort(), [2, 4]);
});

t.test('a picture that fails is an error, and the next one is taken', async t => {
  const { screenshots, get, isAsked } = await start(t);
  const failed = get();
  await isAsked(1);
  screenshots.piece(piece(0, 0, 0, 0, 0));
  t.equal((await failed).status, 503);
  const answer = get();
  await isAsked(2);
  screenshots.piece(piece(64, 1, 0, 1, 5));
  t.equal((await answer).status, 200);
});

t.test('an impossible width is refused', async t => {
  const { asked, get } = await start(t);
  for (const width of ['15', '65', '-16', '1e1', '32.5', '', '99999999', 'x']) {
    t.equal((await get(`?width=${width}`)).status, 400, `width=${width}`);
  }
  t.same(asked, []);
});

t.test('without a display there is no picture', async t => {
  const { get } = await start(t, null);
  t.equal((await get()).status, 503);
});
