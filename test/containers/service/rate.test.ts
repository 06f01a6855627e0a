// tags: containers, alone
/** Frame rate and quality, as the frames and bits that reach a viewer. */
import t, { type Test } from 'tap';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { startSession } from '../../fixtures/pages/pixel-session.js';
import { median } from '../../fixtures/median.js';
import { startService } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

/** How many frames are looked at, after the first ones, in which the encoder finds its rate. */
const FRAMES = 90;
const FIRST = 30;

/**
 * A small area of faint noise that changes with each frame of the browser: cheap to draw, nothing that could be guessed,
 * and so little that no limit of the rate, but the quality alone, decides how large a frame is.
 */
const NOISE = `
const screen = document.createElement('canvas');
screen.width = 32; screen.height = 24;
screen.style = 'left: 0; top: 40px; width: 64px; height: 48px; image-rendering: pixelated';
document.body.append(screen);
const noise = screen.getContext('2d'), image = noise.createImageData(32, 24);
requestAnimationFrame(function draw() {
  for (let i = 0; i < image.data.length; i++) image.data[i] = i % 4 === 3 ? 255 : 96 + Math.random() * 64;
  noise.putImageData(image, 0, 0);
  requestAnimationFrame(draw);
});`;

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });

/** The frames that a viewer gets after the first ones, in which the encoder finds its rate. */
async function framesOf(viewer: StreamClient) {
  await until('the frames', () => viewer.frames.length >= FIRST + FRAMES);
  viewer.leave();
  return viewer.frames.slice(FIRST, FIRST + FRAMES).filter(({ key }) => !key);
}

/** The median pause between two frames that arrive, ms. */
const pauseOf = (frames: readonly { at: number }[]) =>
  median(frames.slice(1).map(({ at }, i) => at - (frames[i]?.at ?? 0)));

/** Watches a session: the median pause between two frames that arrive, and their median size. */
async function watch(t: Test, options: object): Promise<{ ms: number; bytes: number }> {
  const { id, url } = await startSession(service, NOISE, { width: 320, height: 240, ...options });
  const viewer = await StreamClient.join(url.replace('http', 'ws').replace('?', '/stream?'));
  const frames = await framesOf(viewer);
  await service.api('DELETE', `/v0/vm/${id}`);
  const found = { ms: pauseOf(frames), bytes: median(frames.map(({ bytes }) => bytes)) };
  t.comment(`${JSON.stringify(options)}: a frame each ${found.ms.toFixed(1)} ms, ${found.bytes} bytes`);
  return found;
}

t.test('frames arrive at the rate of fps, not faster', async t => {
  const slow = await watch(t, { fps: 24 });
  const fast = await watch(t, { fps: 48 });
  t.ok(slow.ms > 0.9 * (1000 / 24), `a frame each ${slow.ms} ms where 24 fps were asked for`);
  t.ok(fast.ms > 0.9 * (1000 / 48), `a frame each ${fast.ms} ms where 48 fps were asked for`);
  t.ok(fast.ms < 0.75 * slow.ms, `${fast.ms} ms against ${slow.ms} ms`);
});

t.test('a console that draws 60 pictures a second is seen with 60, not with the 24 of browsers', async t => {
  const room_url = `${await serveCards(t)}/card-flicker.nes`;
  const session = await ConsoleSession.start(service, { type: 'nes', room_url });
  const ms = pauseOf(await framesOf(await session.join()));
  await session.end();
  t.comment(`a frame each ${ms.toFixed(1)} ms`);
  t.ok(ms > 0.8 * (1000 / 60) && ms < 1.4 * (1000 / 60), `a frame each ${ms} ms`);
});

t.test('a sharp picture takes more bits than a smooth one, a blocky one fewer', async t => {
  const [sharp, smooth, blocky] = [
    await watch(t, { quality: { mode: 'sharp' } }),
    await watch(t, { quality: { mode: 'smooth' } }),
    await watch(t, { quality: { mode: 'blocky' } }),
  ];
  // Of the same quality they would be of the same size, to a percent.
  t.ok(sharp.bytes > 1.2 * smooth.bytes, `${sharp.bytes} bytes against ${smooth.bytes}`);
  t.ok(blocky.bytes < 0.67 * smooth.bytes, `${blocky.bytes} bytes against ${smooth.bytes}`);
});
