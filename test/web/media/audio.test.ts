import t from 'tap';
import { opusDuration } from '../../../src/web/media/audio/opus.js';
import {
  AudioRing,
  MAX_PACKETS,
  PACKET_SAMPLES,
  SPARE_PACKETS,
  START_PACKETS,
} from '../../../src/web/media/audio/ring.js';
import { MAX_DELAY, Schedule, TARGET_DELAY } from '../../../src/web/media/audio/schedule.js';

const QUANTUM = 128;
const packet = (value: number) => [0, 1].map(() => new Float32Array(PACKET_SAMPLES).fill(value));

function hear(ring: AudioRing, samples = QUANTUM): Float32Array {
  const output = [0, 1].map(() => new Float32Array(samples).fill(9));
  ring.read(output);
  const [left, right] = output as [Float32Array, Float32Array];
  if (!left.every((sample, i) => sample === right[i])) throw new Error('the channels differ');
  return left;
}

t.test('sound starts with three packets', async t => {
  const ring = new AudioRing();
  ring.write(packet(0.5));
  t.ok(
    hear(ring).every(sample => sample === 0),
    'silence before',
  );
  ring.write(packet(0.5));
  ring.write(packet(0.5));
  t.ok(hear(ring).every(sample => sample === 0.5));
});

t.test('a sound shorter than that is played too', async t => {
  const ring = new AudioRing();
  ring.write(packet(0.5));
  let heard = 0;
  for (let i = 0; i < 40; i++) heard += hear(ring).filter(sample => sample === 0.5).length;
  t.equal(heard, PACKET_SAMPLES);
});

t.test('after an underrun it buffers again', async t => {
  const ring = new AudioRing();
  for (let i = 0; i < START_PACKETS; i++) ring.write(packet(0.5));
  while (ring.filled > 0) hear(ring);
  ring.write(packet(0.25));
  t.ok(hear(ring).every(sample => sample === 0));
});

t.test('a burst does not add delay', async t => {
  const ring = new AudioRing();
  for (let i = 0; i < 50; i++) ring.write(packet(i / 100));
  t.ok(ring.filled <= MAX_PACKETS * PACKET_SAMPLES, `${ring.filled} samples wait`);
  let last = 0;
  while (ring.filled > 0) last = hear(ring, PACKET_SAMPLES)[0] ?? 0;
  t.equal(last, Math.fround(0.49), 'the newest are kept, in order');
});

t.test('surplus buffered sound is dropped after a second', async t => {
  const ring = new AudioRing();
  for (let i = 0; i < MAX_PACKETS - 1; i++) ring.write(packet(0.5));
  const playOn = (packets: number) => {
    for (let i = 0; i < packets; i++) {
      hear(ring, PACKET_SAMPLES);
      ring.write(packet(0.5));
    }
  };
  playOn(90);
  t.equal(ring.filled, (MAX_PACKETS - 1) * PACKET_SAMPLES, 'a cushion that may be needed yet');
  playOn(20);
  t.equal(ring.filled, (SPARE_PACKETS + 1) * PACKET_SAMPLES);
  playOn(200);
  t.equal(ring.filled, (SPARE_PACKETS + 1) * PACKET_SAMPLES, 'no less');
});

t.test('scheduled sound keeps its lead, skips what comes too early, and restarts after a gap', async t => {
  const schedule = new Schedule();
  t.equal(schedule.place(1, 0.01), 1 + TARGET_DELAY);
  t.equal(schedule.place(1, 0.01), 1 + TARGET_DELAY + 0.01, 'one right after the other');
  for (let i = 0; i < 100; i++) schedule.place(1, 0.01);
  t.equal(schedule.place(1, 0.01), null, `not more than ${MAX_DELAY} s ahead`);
  t.equal(schedule.place(9, 0.01), 9 + TARGET_DELAY);
});

t.test('packets of 20 ms are played without gaps, jitter of 20 ms included', async t => {
  const ring = new AudioRing();
  const long = [0, 1].map(() => new Float32Array(2 * PACKET_SAMPLES).fill(0.5));
  ring.write(long);
  ring.write(long);
  let gaps = 0;
  for (let i = 0; i < 400; i++) {
    // Each second one comes as late as the next.
    if (i % 4 === 3) for (let late = 0; late < 2; late++) ring.write(long);
    gaps += hear(ring, PACKET_SAMPLES).filter(sample => sample !== 0.5).length;
  }
  t.equal(gaps, 0);
  t.ok(ring.filled <= MAX_PACKETS * PACKET_SAMPLES, `${ring.filled} samples wait`);
});

t.test('an Opus packet says how long it sounds', async t => {
  const microseconds = (...bytes: number[]) => opusDuration(Uint8Array.from(bytes));
  t.equal(microseconds(0xf8), 20_000, 'as Android makes them');
  t.equal(microseconds(0xf0), 10_000, 'as the sessions of others do');
  t.equal(microseconds(0xe0), 2500);
  t.equal(microseconds(0xe1), 5000, 'two frames');
  t.equal(microseconds(0x1b, 2), 120_000, 'as many as it says');
  t.equal(microseconds(0x68), 20_000, 'hybrid');
});
