// tags: containers, random
/** 100,000 mutated messages over the link to a real agent with a running browser. */
import fc from 'fast-check';
import t from 'tap';
import { encodeInput } from '../../../src/protocol/input.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { broken, fromSchema } from '../../fixtures/from-schema.js';
import { textMessage } from '../../fixtures/agents/messages.js';
import { mutated, seedOf, sequence } from '../../fixtures/seed.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

const MESSAGES = 100_000;
const BATCH = 500;

const BINARY = [
  encodeInput({ type: 'move', x: 0.5, y: 0.5 }),
  encodeInput({ type: 'button', button: 2, down: true, x: 0, y: 0 }),
  encodeInput({ type: 'wheel', dx: 1, dy: -3, x: 0, y: 0 }),
  encodeInput({ type: 'key', down: true, keysym: 0x61 }),
  encodeInput({ type: 'text', text: 'é漢😀' }),
  Buffer.of(MessageType.release),
  Buffer.of(MessageType.keyframe),
  Buffer.of(MessageType.stream, 1, 1),
  Buffer.of(MessageType.rate, 0, 8, 0, 0),
  Buffer.from([MessageType.touch, 0, 1, 0, 1, 2, 3, 4]),
  textMessage(MessageType.clipboard, 'text'),
];

t.test(`${MESSAGES} mutated messages do not crash the agent`, async t => {
  const seed = seedOf(t);
  const random = sequence(seed);
  const computer = await Computer.start(t);
  const first = await Service.connect(t, computer);
  await first.run(launchOf({ kiosk: true }));
  const [agent] = await computer.pids(/^(berth-agent|node|\/usr\/bin\/node)\b/);
  const texts = fc
    .sample(broken(fromSchema('link.json#/$defs/to_agent')), { seed, numRuns: 4000 })
    .map(value => JSON.stringify(value) ?? '')
    .filter(text => text.length < 10_000);
  let service = first;
  let links = 1;
  for (let sent = 0; sent < MESSAGES; sent += BATCH) {
    if (!service.isOpen) {
      service = await Service.connect(t, computer);
      links++;
    }
    for (let i = 0; i < BATCH; i++) {
      const choice = random(8);
      if (choice < 5) service.send(mutated(BINARY[random(BINARY.length)] ?? Buffer.alloc(1), random));
      else if (choice < 7) service.tell(texts[random(texts.length)] ?? '');
      else service.tell(mutated(Buffer.from(texts[random(texts.length)] ?? ''), random).toString('latin1'));
    }
    // Answered after all that was sent before; a mutated call may have had the same number.
    let isTaken = false;
    const taken = () => (isTaken = true);
    service.call('nothing').then(taken, taken);
    await until('the agent has taken the batch', () => isTaken || !service.isOpen);
  }
  t.comment(`${links} links`);
  t.same(
    await computer.pids(/^(berth-agent|node|\/usr\/bin\/node)\b/),
    [agent],
    'the agent is the one that was started',
  );
  service.close();
  const fresh = await Service.connect(t, computer);
  await until('the browser runs', () => fresh.state === 'running');
  fresh.watch();
  fresh.send(Uint8Array.of(MessageType.keyframe));
  await until('a key frame comes', () => fresh.keyFrames().length > 0);
});
