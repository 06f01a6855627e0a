// tags: long, random
/** Mutated messages of viewers, to a real service with a faked agent; and what the agent gets of them. */
import fc from 'fast-check';
import t from 'tap';
import { decodeContent } from '../../src/protocol/clipboard.js';
import { decodeInput } from '../../src/protocol/input.js';
import { MessageType } from '../../src/protocol/message-type.js';
import { decodePad, encodePad, PadButton } from '../../src/protocol/pad.js';
import { broken, fromSchema } from '../fixtures/from-schema.js';
import { startFakedSession } from '../fixtures/services/faked-session.js';
import { serveInProcess } from '../fixtures/services/in-process.js';
import { VIEWER_MESSAGES } from '../fixtures/agents/messages.js';
import { mutated, seedOf, sequence } from '../fixtures/seed.js';
import type { StreamClient } from '../fixtures/viewers/stream-client.js';
import { until } from '../fixtures/until.js';

/** Messages between two checks that all of them were taken. */
const BATCH = 500;
const SOCKETS = 8;

const PLAYERS = [0, 1, 2, 3];
const PRESSES = PLAYERS.map(player =>
  encodePad({ type: 'pad', player, control: 'button', id: PadButton.start, down: true }),
);

const BINARY = [
  ...VIEWER_MESSAGES,
  Buffer.of(MessageType.release),
  Buffer.from([MessageType.ping, 1, 2, 3, 4, 5, 6, 7, 8]),
  Buffer.from([MessageType.touch, 0, 1, 0, 1, 2, 3, 4]),
  ...PRESSES,
  ...PLAYERS.map(player => encodePad({ type: 'pad', player, control: 'axis', id: 3, value: -0.5 })),
];

/** Messages that only viewers' own input may become on their way to the agent. */
const ON_THE_ROAD: ReadonlySet<number> = new Set([
  MessageType.clipboard,
  MessageType.touch,
  MessageType.keyframe,
  MessageType.rate,
  MessageType.stream,
  MessageType.setDisplay,
]);

const KINDS = [
  { kind: 'chromium', messages: 100_000, options: { width: 640, height: 480 } },
  { kind: 'nes', messages: 50_000, options: { type: 'nes', room_url: 'http://127.0.0.1:9/game.nes' } },
];

for (const { kind, messages, options } of KINDS)
  t.test(`${messages} mutated messages of viewers of ${kind} harm neither the service nor the agent`, async t => {
    const seed = seedOf(t);
    const random = sequence(seed);
    const session = await startFakedSession(t, options, await serveInProcess(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' }));
    const { agent } = session.service;
    agent.onCall = () => ({ value: null });
    const honest = await session.join();
    const texts = fc
      .sample(broken(fromSchema('viewer.json#/$defs/from_viewer')), { seed, numRuns: 5000 })
      .map(value => JSON.stringify(value) ?? '');
    const message = (): Buffer | string => {
      if (random(2) === 0) return mutated(BINARY[random(BINARY.length)] ?? Buffer.alloc(1), random);
      const text = texts[random(texts.length)] ?? '';
      return random(4) === 0 ? mutated(Buffer.from(text), random).toString('latin1') : text;
    };

    const viewers: (StreamClient | undefined)[] = Array.from({ length: SOCKETS }, () => undefined);
    const isOpen = (viewer: StreamClient | undefined): viewer is StreamClient => viewer?.socket.readyState === 1;
    let malformed = 0;
    let pads = 0;
    agent.onReceived = ({ type, bytes }) => {
      const decoders = [decodeInput, decodePad, decodeContent];
      if (!ON_THE_ROAD.has(type) && decoders.every(decode => decode(bytes) === null)) malformed++;
      if (type === MessageType.pad) pads++;
    };
    // Later it may be that nobody has a seat or the right to play any more.
    for (const press of PRESSES) honest.send(press);
    await echo(honest);
    let closed = 0;
    for (let sent = 0; sent < messages;) {
      const at = random(SOCKETS);
      let viewer = viewers[at];
      if (!isOpen(viewer)) {
        closed++;
        viewer = viewers[at] =
          random(8) === 0
            ? await session.connect()
            : await session.join(random(8) === 0 ? { admin_token: session.adminToken } : {});
        viewer.tell({ type: 'call', id: 1, method: 'takeSeat', args: [] });
      }
      for (const end = sent + 1 + random(50); sent < end; sent++) viewer.socket.send(message());
      if (sent % BATCH < 50) await echo(honest);
    }

    t.equal(malformed, 0, 'the agent got nothing malformed');
    t.equal(pads > 0, kind !== 'chromium', `${pads} changes of pads`);
    t.ok(closed > 50, `${closed} sockets were closed for their mistakes`);
    t.equal(honest.socket.readyState, 1, 'another viewer stays');
    for (const viewer of viewers) viewer?.leave();
    const users = async () => (await session.call('GET', '/users')).body as unknown[];
    await until('only the honest viewer is left', async () => (await users()).length === 1);
    t.equal((await session.service.api('GET', '/readyz')).status, 200);
    honest.input({ type: 'key', down: true, keysym: 0x62 });
    await until('input goes on', () =>
      agent.messages(MessageType.key).some(({ bytes }) => bytes.readUInt32LE(2) === 0x62),
    );
  });

/** Waits until the service has answered all that was sent before. */
async function echo(viewer: StreamClient): Promise<void> {
  const before = viewer.binary.length;
  viewer.send(Buffer.from([MessageType.ping, 0, 0, 0, 0, 0, 0, 0, 0]));
  await until('the pong', () => viewer.binary.length > before);
}
