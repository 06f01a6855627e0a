import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { Picture } from '../../../src/agent/android/video/picture.js';
import { RateLadder, rateFor } from '../../../src/agent/android/video/rates.js';
import { EncoderResets } from '../../../src/agent/android/video/resets.js';
import { annexB, NalType, nalType, nalUnits } from '../../../src/h264/nal.js';
import { fromHelper, USER_BYTES } from '../../../src/protocol/display-helper.js';
import { MessageType } from '../../../src/protocol/message-type.js';

/** A parameter set of so many macroblocks. */
function spsOf(columns: number, rows: number): Buffer {
  const golomb = (value: number) => (value + 1).toString(2).padStart((value + 1).toString(2).length * 2 - 1, '0');
  const bits =
    ['01100111', '01000010', '11000000', '00011111'].join('') +
    [0, 0, 2, 1].map(golomb).join('') +
    '0' +
    golomb(columns - 1) +
    golomb(rows - 1) +
    '110' +
    '0' +
    '1';
  const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return Buffer.from((whole.match(/.{8}/g) ?? []).map(byte => parseInt(byte, 2)));
}
const PPS = Buffer.of(0x68, 0xce, 0x38, 0x80);
const config = (columns: number, rows: number) =>
  ({ type: 'configuration', data: annexB([spsOf(columns, rows), PPS]) }) as const;
const frame = (keyframe: boolean, pts: bigint) =>
  ({ type: 'data', keyframe, pts, data: annexB([Buffer.of(keyframe ? 0x65 : 0x41, 0x88, Number(pts))]) }) as const;

function shown() {
  const messages: Buffer[] = [];
  const sizes: unknown[] = [];
  const picture = new Picture(
    { fps: 30, quality: 'sharp' },
    {
      show: body => messages.push(body.subarray(USER_BYTES)),
      resized: size => sizes.push(size),
      key: () => undefined,
    },
  );
  picture.isWanted = true;
  return { picture, messages, sizes, types: () => messages.map(([type]) => type) };
}

t.test('frames pass as they are, key frames behind their parameter sets', async t => {
  const { picture, messages, sizes, types } = shown();
  picture.take(frame(true, 1n));
  t.same(messages, [], 'without parameter sets nothing can be decoded');
  picture.take(config(45, 80));
  picture.take(frame(true, 2n));
  picture.take(frame(false, 3n));
  picture.take(frame(true, 4n));
  t.same(types(), [MessageType.display, MessageType.video, MessageType.video, MessageType.video]);
  t.same(sizes, [{ width: 720, height: 1280 }]);
  t.match(fromHelper.display.decode(messages[0] as Buffer), { width: 720, height: 1280, fps: 30, quality: 0 });
  const [key, delta, again] = messages.slice(1) as [Buffer, Buffer, Buffer];
  t.same(fromHelper.video.decode(key), { flags: 1, frame: 1, time: 2n });
  t.same(nalUnits(fromHelper.video.bodyOf(key)).map(nalType), [NalType.sps, NalType.pps, NalType.idr]);
  t.same(fromHelper.video.bodyOf(delta), frame(false, 3n).data, 'untouched');
  t.same(nalUnits(fromHelper.video.bodyOf(again)).map(nalType), [NalType.sps, NalType.pps, NalType.idr]);
});

t.test('a new size is told before its first frame, and once', async t => {
  const { picture, types, sizes } = shown();
  for (const packet of [config(45, 80), frame(true, 1n), config(45, 80), frame(true, 2n)]) picture.take(packet);
  t.same(sizes.length, 1, 'an encoder that begins anew with the same size says nothing');
  picture.take(config(80, 45));
  t.same(sizes.length, 1, 'not before there is a frame');
  picture.take(frame(true, 3n));
  t.same(sizes[1], { width: 1280, height: 720 });
  t.same(types().slice(-2), [MessageType.display, MessageType.video]);
});

t.test('a key frame is shown again as long as nothing follows it', async t => {
  const { picture, messages } = shown();
  picture.take(config(45, 80));
  t.notOk(picture.repeatKey(), 'there is none yet');
  picture.take(frame(true, 7n));
  t.ok(picture.repeatKey());
  t.ok(picture.repeatKey());
  const frames = messages.slice(1);
  t.same(
    frames.map(message => fromHelper.video.decode(message)),
    [7n, 8n, 9n].map((time, i) => ({ flags: 1, frame: i + 1, time })),
  );
  for (const message of frames.slice(1))
    t.same(fromHelper.video.bodyOf(message), fromHelper.video.bodyOf(frames[0] as Buffer));
  picture.take(frame(false, 20n));
  t.notOk(picture.repeatKey(), 'it is no longer the picture');
  picture.take(frame(true, 40n));
  picture.take(config(80, 45));
  t.notOk(picture.repeatKey(), 'the encoder begins anew');
});

t.test('while nobody watches only the size is told', async t => {
  const { picture, types } = shown();
  picture.isWanted = false;
  picture.take(config(45, 80));
  picture.take(frame(true, 1n));
  picture.take(frame(false, 2n));
  t.same(types(), [MessageType.display]);
});

t.test('one reset is under way at a time, and they keep their distance', async t => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.teardown(() => mock.timers.reset());
  let resets = 0;
  const requests = new EncoderResets(
    () => resets++,
    () => Date.now(),
  );
  for (let viewer = 0; viewer < 3; viewer++) requests.request();
  t.equal(resets, 1, 'three viewers at once');
  mock.timers.tick(300);
  requests.request();
  t.equal(resets, 1, 'the key frame is on its way');
  requests.arrived();
  mock.timers.tick(100);
  requests.request();
  requests.request();
  t.equal(resets, 1);
  mock.timers.tick(1599);
  t.equal(resets, 1);
  mock.timers.tick(1);
  t.equal(resets, 2, 'two seconds after the first');
  mock.timers.tick(4000);
  requests.request();
  t.equal(resets, 3, 'a reset that brought nothing does not hold up others for ever');
  requests.arrived();
  requests.request();
  requests.arrived();
  mock.timers.tick(10_000);
  t.equal(resets, 3, 'a key frame that came in between serves those who waited');
});

t.test('bit rates', async t => {
  const ceilings = [100, 999, 1000, 3999, 4000, 7000, 8000, 50_000];
  for (const quality of ['smooth', 'sharp'] as const)
    t.same(
      ceilings.map(kbps => rateFor(kbps, quality)),
      [1e6, 1e6, 1e6, 2e6, 4e6, 4e6, 8e6, 8e6],
      quality,
    );
  t.same(
    ceilings.map(kbps => rateFor(kbps, 'blocky')),
    ceilings.map(() => 1e6),
    'blocky',
  );
});

/** A ladder that begins with 4 Mbit/s, and what it changed. */
function ladder(t: Test) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.teardown(() => mock.timers.reset());
  const changes: number[] = [];
  const state = { isHeld: false };
  const rates = new RateLadder({
    first: 4e6,
    change: rate => changes.push(rate),
    isHeld: () => state.isHeld,
    clock: () => Date.now(),
  });
  return { rates, changes, state };
}

t.test('the bit rate changes once in ten seconds', async t => {
  const { rates, changes } = ladder(t);
  rates.want(4e6);
  t.same(changes, [], 'the same step');
  rates.want(2e6);
  t.same(changes, [2e6], 'the first change is at once');
  rates.want(8e6);
  rates.want(1e6);
  mock.timers.tick(9999);
  t.same(changes, [2e6]);
  mock.timers.tick(1);
  t.same(changes, [2e6, 1e6], 'of several, the last one counts');
  rates.want(8e6);
  rates.want(1e6);
  mock.timers.tick(60_000);
  t.same(changes, [2e6, 1e6], 'what was taken back does not happen');
});

t.test('while fingers are down the bit rate stays, and it keeps its distance afterwards', async t => {
  const { rates, changes, state } = ladder(t);
  state.isHeld = true;
  rates.want(2e6);
  mock.timers.tick(30_000);
  t.same(changes, []);
  state.isHeld = false;
  rates.freed();
  t.same(changes, [2e6]);
  mock.timers.tick(1000);
  rates.want(1e6);
  mock.timers.tick(8999);
  state.isHeld = true;
  mock.timers.tick(1);
  t.same(changes, [2e6], 'a finger has come in between');
  state.isHeld = false;
  rates.freed();
  t.same(changes, [2e6, 1e6]);
});

t.test('a bit rate that a device could not change to is tried again when it is wanted again', async t => {
  const { rates, changes } = ladder(t);
  rates.want(2e6);
  rates.failed(4e6);
  mock.timers.tick(60_000);
  t.same(changes, [2e6], 'not by itself');
  rates.want(2e6);
  t.same(changes, [2e6, 2e6]);
});
