// tags: containers, alone
import t from 'tap';
import { setTimeout as wait } from 'node:timers/promises';
import { fromHelper } from '../../../src/protocol/display-helper.js';
import { NalType, nalType, nalUnits } from '../../../src/h264/nal.js';
import { parseSps } from '../../../src/h264/sps.js';
import { readVui } from '../../../src/h264/vui.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Desktop } from './desktop.js';
import { Helper, type Video } from './helper.js';

const spsOf = (frame: Video) => {
  const unit = nalUnits(frame.data).find(unit => nalType(unit) === NalType.sps);
  if (!unit) throw new Error('the frame has no SPS');
  return unit;
};
const desktop = await Desktop.start(t);
/** Covers the screen with a colour. */
const paint = (colour: string) => desktop.run(`xsetroot -solid '${colour}'`);
const firstKey = (helper: Helper, since = 0) =>
  until('a key frame', () => helper.frames(since).find(frame => frame.key));

t.test('without a viewer nothing is sent, however much changes', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  await helper.quiet();
  const before = helper.mark;
  for (const colour of ['red', 'green', 'blue']) await paint(colour);
  await wait(300);
  t.equal(helper.mark, before);
});

t.test('a still screen is sent once and refined once, then nothing more', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  helper.stream(true, false);
  await helper.still();
  const frames = helper.frames();
  t.equal(frames[0]?.key, true, 'the first frame is a key frame');
  t.equal(frames.at(-1)?.refinement, true, 'the last one a refinement');
  const before = helper.mark;
  await wait(2000);
  t.equal(helper.mark, before, 'two seconds of stillness bring no byte');
});

t.test('a change is sent at once, and needs no key frame', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  helper.stream(true, false);
  await helper.still();
  const before = helper.mark;
  await paint('#123456');
  const frame = await until('a frame', () => helper.frames(before)[0]);
  t.equal(frame.key, false);
  await helper.still(before);
  const numbers = helper.frames().map(({ number }) => number);
  t.same(
    numbers,
    numbers.map((_, i) => i + 1),
    'frames are numbered without a gap',
  );
  helper.stream(false, false);
  await helper.quiet();
  const stopped = helper.mark;
  await paint('white');
  await wait(300);
  t.equal(helper.mark, stopped, 'the last viewer gone, nothing is sent');
});

t.test('what is drawn after a pause is sent pixel for pixel if it is simple, ahead of its frame', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  helper.stream(true, false);
  await helper.still();
  const [before, last] = [helper.mark, helper.frames().at(-1)];
  await paint('#123456');
  await helper.still(before);
  const [patch, frame] = helper.messages.slice(before).map(({ body }) => body);
  t.same(patch && fromHelper.patch.decode(patch), { frame: last?.number, x: 0, y: 0, width: 640, height: 480 });
  t.same(patch && [...fromHelper.patch.bodyOf(patch)], [0x80, 0xe0, 0x12, 0x12, 0x34, 0x56], 'one run of its colour');
  t.equal(frame?.[0], MessageType.video, 'its frame comes next');
  t.equal(helper.all(MessageType.patch, before).length, 1);
});

t.test('what is not simple has no patch', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  helper.stream(true, false);
  await paint('#123456');
  await helper.still();
  const before = helper.mark;
  // Every other pixel is white.
  await desktop.run('xsetroot -gray');
  await helper.still(before);
  t.ok(helper.frames(before).length > 0);
  t.same(helper.all(MessageType.patch, before), []);
});

t.test('what is drawn as it was before brings no frame', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  helper.stream(true, false);
  await paint('#654321');
  await helper.still();
  const before = helper.mark;
  for (let i = 0; i < 5; i++) await paint('#654321');
  await paint('#123456');
  await helper.still(before);
  t.same(
    helper.frames(before).map(({ refinement }) => refinement),
    [false],
    'one of six, for the last colour, which came as a patch and needs no refinement',
  );
});

t.test('key frames are sent on request, at most four a second', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  helper.stream(true, false);
  await helper.still();
  const before = helper.mark;
  helper.keyFrame();
  await firstKey(helper, before);
  const asking = setInterval(() => helper.keyFrame(), 10);
  t.teardown(() => clearInterval(asking));
  const start = helper.mark;
  const keys = await until('eight of them', () => {
    const come = helper.frames(start).filter(frame => frame.key);
    return come.length >= 8 && come;
  });
  clearInterval(asking);
  const pauses = keys.slice(1).map(({ captured }, i) => Math.round((captured - (keys[i]?.captured ?? 0)) / 1000));
  t.ok(Math.min(...pauses) >= 250, `after ${pauses.join(', ')} ms by the clock of the helper`);
  t.ok(Math.min(...pauses) < 650, 'and as often as asked for');
});

t.test('decoders need not reorder frames, and parameters change only with the display', async t => {
  const helper = await Helper.sized(t, desktop, { width: 1280, height: 720 });
  helper.stream(true, false);
  const first = spsOf(await firstKey(helper));
  const sps = parseSps(first);
  t.match(sps, { profile: 77, chroma: 1, width: 1280, height: 720, level: 32 });
  t.equal(sps && readVui(first, sps)?.reorderFrames, 0, 'no frame is reordered');
  helper.rate(900);
  await paint('#224466');
  helper.rate(20_000);
  await helper.still();
  const before = helper.mark;
  helper.keyFrame();
  const again = await firstKey(helper, before);
  t.same(spsOf(again), first, 'the rate leaves them alone');
  t.ok(nalUnits(again.data).filter(unit => nalType(unit) === NalType.idr).length <= 4, 'at most four slices');
});

t.test('the display takes any size, quality and sampling', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  helper.stream(true, false);
  await firstKey(helper);
  for (const settings of [
    { width: 801, height: 603, fps: 30, quality: 'sharp', chroma444: true },
    { width: 801, height: 603, fps: 60, quality: 'blocky', chroma444: false },
    { width: 1920, height: 1080, fps: 24, quality: 'smooth', chroma444: false },
  ] as const) {
    const before = helper.mark;
    helper.setDisplay(settings);
    const answer = await until('the answer', () => helper.all(MessageType.display, before)[0]);
    t.same(
      [answer.readUInt16LE(1), answer.readUInt16LE(3), answer[5]],
      [settings.width, settings.height, settings.fps],
    );
    const sps = parseSps(spsOf(await firstKey(helper, before)));
    const even = { width: (settings.width + 1) & ~1, height: (settings.height + 1) & ~1 };
    t.match(sps, { ...even, profile: settings.chroma444 ? 244 : 77 });
    t.match(await desktop.run('xrandr --current'), new RegExp(`current ${settings.width} x ${settings.height}`));
  }
});

t.test('a burst of sizes ends at the last one', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  helper.stream(true, false);
  for (let side = 200; side < 1000; side += 7) helper.setDisplay({ width: side, height: 1200 - side });
  helper.setDisplay({ width: 800, height: 600 });
  await until('the last size', () => helper.all(MessageType.display).at(-1)?.readUInt16LE(1) === 800);
  await helper.quiet();
  const before = helper.mark;
  helper.keyFrame();
  t.match(parseSps(spsOf(await firstKey(helper, before))), { width: 800, height: 600 });
});

t.test('a reader that pauses gets the current picture when it resumes', async t => {
  const helper = await Helper.sized(t, desktop, { width: 1280, height: 720 });
  helper.stream(true, false);
  await helper.still();
  helper.pauseReading();
  for (let i = 0; i < 60; i++) await paint(i % 2 ? 'black' : 'white');
  await desktop.launch('xterm', '-e', 'sh', '-c', 'timeout 2 seq 1000000000; touch /tmp/flooded');
  await until('the flood is over', async () => (await desktop.try('test -e /tmp/flooded')).status === 0);
  helper.resumeReading();
  await helper.quiet();
  const before = helper.mark;
  helper.keyFrame();
  await firstKey(helper, before);
  t.pass('it still answers');
});
