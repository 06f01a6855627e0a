// tags: containers, alone
/** A viewer on a path of 1.5 Mbit/s and one on 20 Mbit/s watch a session together; both paths are token buckets. */
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { findNal, NalType } from '../../../src/h264/nal.js';
import { parseSps } from '../../../src/h264/sps.js';
import { startSession } from '../../fixtures/pages/pixel-session.js';
import { narrowPath } from '../../fixtures/networks/narrow-path.js';
import { median } from '../../fixtures/median.js';
import { startService } from '../../fixtures/services/service.js';
import { type ReceivedFrame, StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

/** Noise in a part of the display, in each frame of the browser: much more than the slow path carries. */
const NOISE = `
const screen = document.createElement('canvas');
screen.width = 160; screen.height = 120;
screen.style = 'left: 0; top: 40px; width: 640px; height: 480px; image-rendering: pixelated';
document.body.append(screen);
const noise = screen.getContext('2d'), image = noise.createImageData(160, 120);
requestAnimationFrame(function draw() {
  for (let i = 0; i < image.data.length; i++) image.data[i] = i % 4 === 3 ? 255 : 96 + Math.random() * 64;
  noise.putImageData(image, 0, 0);
  requestAnimationFrame(draw);
});`;

const SMALL_FRAMES = 'berth_small_frames_received_total';

/** Until a layer has found its rate, and how long it is then looked at, ms: together less than until the full layer is tried again. */
const SETTLE_MS = 3000;
const LOOK_MS = 5000;

const service = await startService(t);
const { id, url } = await startSession(service, NOISE, { width: 1280, height: 720 });

/** Joins over a path of a rate. */
async function join(kbps: number): Promise<StreamClient> {
  const address = new URL(url.replace('http', 'ws').replace('?', '/stream?'));
  address.port = String((await narrowPath(t, Number(address.port), kbps, 20)).port);
  return StreamClient.join(address.href, { audio: false });
}

/** How many frames of the small layer the session has encoded. */
async function smallFrames(): Promise<number> {
  const { body } = await service.api('GET', '/metrics');
  return Number(new RegExp(`^${SMALL_FRAMES} (\\d+)`, 'm').exec(String(body))?.[1]);
}

/** The next frames of a viewer. */
async function watch(viewer: StreamClient, count: number): Promise<ReceivedFrame[]> {
  const from = viewer.frames.length;
  await until(`${count} frames`, () => viewer.frames.length >= from + count);
  return viewer.frames.slice(from);
}

const bytesOf = (frames: ReceivedFrame[]) => median(frames.filter(({ key }) => !key).map(({ bytes }) => bytes));

t.test('each gets what its path carries, and the small layer costs nothing without need', async t => {
  const fast = await join(20_000);
  const other = await join(20_000);
  await watch(fast, 60);
  const before = bytesOf(await watch(fast, 120));
  t.equal(await smallFrames(), 0, 'nobody needs the small layer');
  other.leave();

  const slow = await join(1500);
  const sizes = { full: '', small: '' };
  slow.onFrame = ({ small, key }, message) => {
    const sps = key ? parseSps(findNal(message.subarray(14), NalType.sps) ?? new Uint8Array()) : null;
    if (sps !== null) sizes[small ? 'small' : 'full'] = `${sps.width}x${sps.height}`;
  };
  await until('the small layer', () => slow.frames.some(({ small }) => small));
  await wait(SETTLE_MS);
  const [fromFast, fromSlow] = [fast.frames.length, slow.frames.length];
  await wait(LOOK_MS);
  const [ofFast, ofSlow] = [fast.frames.slice(fromFast), slow.frames.slice(fromSlow)];
  t.ok(ofFast.length > 20 && ofSlow.length > 20, `${ofFast.length} and ${ofSlow.length} frames`);
  t.same(sizes, { full: sizes.full && '1280x720', small: '640x360' });
  t.ok(
    ofFast.every(({ small }) => !small),
    'the fast one keeps the full layer',
  );
  t.ok(bytesOf(ofFast) > 0.75 * before, `with its quality: ${bytesOf(ofFast)} bytes a frame, ${before} before`);
  t.ok(
    ofSlow.every(({ small }) => small),
    'the slow one stays on the small layer',
  );
  const pauses = ofSlow.slice(1).map(({ at }, i) => at - Number(ofSlow[i]?.at));
  t.ok(median(pauses) < 100, `a frame each ${median(pauses).toFixed(0)} ms`);
  t.ok(Math.max(...pauses) < 1500, `no pause longer than ${Math.max(...pauses).toFixed(0)} ms`);
  t.comment(`${before} bytes a frame of the full layer, ${bytesOf(ofSlow)} of the small one`);

  slow.leave();
  let last = -1;
  await until('the small layer ends', async () => {
    const now = await smallFrames();
    const hasEnded = now === last;
    last = now;
    await watch(fast, 30);
    return hasEnded;
  });
  await watch(fast, 60);
  t.equal(await smallFrames(), last);
  fast.leave();
  await service.api('DELETE', `/v0/vm/${id}`);
});
