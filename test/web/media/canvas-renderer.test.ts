import t, { type Test } from 'tap';
import { RecentUse } from '../../../src/web/media/recent-use.js';
import { CanvasRenderer } from '../../../src/web/media/video/canvas-renderer.js';
import { UNSEEN_MS } from '../../../src/web/media/video/frame-pacer.js';
import { withImageData } from '../../fixtures/media/image-data.js';

const SIZE = { width: 2, height: 2 };

/** A page with a canvas and a clock that stands, refreshed only by `refresh`. */
function page() {
  const painted: number[] = [];
  const patched: string[] = [];
  const closed: number[] = [];
  let due: FrameRequestCallback | null = null;
  let overdue: (() => void) | null = null;
  const context = {
    drawImage: (picture: { frame: number }) => {
      if (picture.frame < 0) throw new Error('cannot be painted');
      painted.push(picture.frame);
    },
    putImageData: ({ width, height }: ImageData, x: number, y: number) => patched.push([x, y, width, height].join()),
  };
  const { setTimeout, clearTimeout } = globalThis;
  const TIMER = Symbol('timer');
  const globals = {
    document: { hidden: false, createElement: () => ({ getContext: () => context }) },
    requestAnimationFrame: (callback: FrameRequestCallback) => ((due = callback), 1),
    cancelAnimationFrame: () => (due = null),
  };
  Object.assign(globalThis, globals, {
    setTimeout: (callback: () => void, ms?: number) =>
      ms === UNSEEN_MS ? ((overdue = callback), TIMER) : setTimeout(callback, ms),
    clearTimeout: (timer: unknown) => (timer === TIMER ? (overdue = null) : clearTimeout(timer as NodeJS.Timeout)),
  });
  performance.now = () => 1000;
  return {
    painted,
    patched,
    closed,
    picture: (frame: number) => ({ frame, format: 'NV12', close: () => closed.push(frame) }) as unknown as VideoFrame,
    refresh: () => due?.(performance.now()),
    /** Time passes without a refresh. */
    wait: () => overdue?.(),
    leave: () => {
      for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
      Object.assign(globalThis, { setTimeout, clearTimeout });
      Reflect.deleteProperty(performance, 'now');
    },
  };
}

/** Lets promises that are already resolved take effect. */
const settled = () => new Promise<void>(resolve => setImmediate(resolve));

async function open(t: Test) {
  const here = page();
  const use = new RecentUse();
  const acknowledged: number[] = [];
  const renderer = new CanvasRenderer(use, frame => acknowledged.push(frame));
  renderer.resize(SIZE);
  t.teardown(() => (renderer.stop(), here.leave()));
  const offer = async (frame: number) => {
    renderer.draw(here.picture(frame), frame, false);
    await settled();
  };
  return { ...here, use, renderer, acknowledged, offer };
}

t.test('a frame is acknowledged when it is painted, not while it waits for the refresh', async t => {
  const { offer, refresh, painted, acknowledged, closed, renderer } = await open(t);
  for (let frame = 1; frame <= 7; frame++) await offer(frame);
  t.same(acknowledged, [1, 2, 3, 4, 5, 6, 7], 'the first ones are presented at once');
  await offer(8);
  await offer(9);
  t.equal(acknowledged.at(-1), 7);
  refresh();
  t.same([painted.at(-1), acknowledged.at(-1)], [8, 8]);
  refresh();
  t.same([painted.at(-1), acknowledged.at(-1)], [9, 9]);
  for (const frame of [10, 11, 12]) await offer(frame);
  refresh();
  t.same(acknowledged.slice(-2), [9, 11], 'one that was dropped is acknowledged by the next');
  renderer.stop();
  t.same(closed, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 'every picture is given back to the decoder');
});

const patch = (frame: number, x = 0, width = 1) => ({
  frame,
  x,
  y: 0,
  width,
  height: 1,
  runs: Uint8Array.of(width, 1, 2, 3),
});

t.test('a patch is painted onto its frame, and onto no other', async t => {
  const { offer, renderer, patched, acknowledged } = await open(t);
  withImageData(t);
  renderer.patch(patch(1));
  t.same(patched, [], 'there is no frame yet');
  await offer(1);
  renderer.patch(patch(2));
  t.same(patched, [], 'its frame is still to come');
  renderer.patch(patch(1, 1));
  t.same(patched, ['1,0,1,1']);
  await offer(2);
  renderer.patch(patch(1));
  t.same(patched, ['1,0,1,1'], 'a newer frame has what it shows');
  t.same(acknowledged, [1, 2], 'it is not acknowledged');
});

t.test('a patch that does not lie within the picture is not painted', async t => {
  const { offer, renderer, patched } = await open(t);
  withImageData(t);
  await offer(1);
  renderer.patch(patch(1, 1, 2));
  renderer.patch({ ...patch(1), y: 2 });
  t.same(patched, []);
});

t.test('nor is one while a frame waits for the refresh', async t => {
  const { offer, renderer, patched, refresh } = await open(t);
  withImageData(t);
  for (let frame = 1; frame <= 8; frame++) await offer(frame);
  renderer.patch(patch(7));
  t.same(patched, []);
  refresh();
  renderer.patch(patch(8));
  t.same(patched, ['0,0,1,1']);
});

t.test('input ends the wait', async t => {
  const { offer, use, acknowledged } = await open(t);
  for (let frame = 1; frame <= 8; frame++) await offer(frame);
  t.equal(acknowledged.at(-1), 7);
  use.note(performance.now());
  await offer(9);
  t.equal(acknowledged.at(-1), 9);
});

t.test('a frame that waits is painted without a refresh where the page is not refreshed', async t => {
  const { offer, wait, acknowledged } = await open(t);
  for (let frame = 1; frame <= 8; frame++) await offer(frame);
  t.equal(acknowledged.at(-1), 7);
  wait();
  t.equal(acknowledged.at(-1), 8);
});

t.test('a frame that cannot be painted is not acknowledged, and does not block the next', async t => {
  const { offer, acknowledged, closed } = await open(t);
  await offer(-1);
  await offer(2);
  t.same(acknowledged, [2]);
  t.same(closed, [-1, 2]);
});

t.test('nor does one for which there is no memory', async t => {
  const { offer, renderer, acknowledged, closed } = await open(t);
  let now = 1000;
  performance.now = () => (now += 4);
  for (let frame = 1; frame <= 3; frame++) await offer(frame);
  const ImageData = function () {
    throw new RangeError('Array buffer allocation failed');
  };
  Object.assign(globalThis, { ImageData });
  t.teardown(() => Reflect.deleteProperty(globalThis, 'ImageData'));
  const picture = { format: 'I420', visibleRect: { width: 2, height: 2 }, close: () => closed.push(4) };
  renderer.draw(picture as unknown as VideoFrame, 4, false);
  await settled();
  await offer(5);
  t.same(acknowledged, [1, 2, 3, 5]);
  t.same(closed, [1, 2, 3, 4, 5]);
});

t.test('the canvas, which a new size erases, gets it with the first frame that has it', async t => {
  const { offer, refresh, renderer, acknowledged } = await open(t);
  for (let frame = 1; frame <= 8; frame++) await offer(frame);
  renderer.resize({ width: 4, height: 4 });
  await offer(9);
  refresh();
  t.same([acknowledged.at(-1), renderer.element.width], [8, 2]);
  refresh();
  t.same([acknowledged.at(-1), renderer.element.width], [9, 4]);
});
