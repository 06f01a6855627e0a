// tags: containers, alone
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { openPlayer, pixelAt, overlayText } from '../fixtures/viewers/player-page.js';
import { until } from '../fixtures/until.js';

const browser = await openBrowser(t);
const isRed = ([red, green, blue]: number[]) => red! > 200 && green! < 70 && blue! < 70;
const isYellow = ([red, green, blue]: number[]) => red! > 200 && green! > 200 && blue! < 70;
const acksOf = (session: RecordedSession) =>
  session.received.flatMap(message => (message.is === 'ack' ? [message.frame] : []));

for (const [kind, tag] of [
  ['secure', 'CANVAS'],
  ['plain', 'VIDEO'],
] as const) {
  t.test(`a ${kind} page shows the picture in a ${tag} element and acknowledges the frames it showed`, async t => {
    const session = await RecordedSession.start(t);
    const page = await openPlayer(t, browser, session, kind);
    t.match(session.control[0], { type: 'join', video: true, audio: true });
    await until('the page says so', async () => (await overlayText(page)) === 'Starting…');

    await session.shown(await session.play('wide', 60));
    t.strictSame(
      acksOf(session),
      [...acksOf(session)].sort((a, b) => a - b),
      'in order',
    );
    // Of frames that come faster than a busy machine shows them some are left out.
    const frames = await session.playOneByOne('wide', 30);
    t.strictSame(acksOf(session).slice(-frames.length), frames, 'each of them');
    t.equal(await overlayText(page), '');
    t.ok(isYellow(await pixelAt(page, 0.56, 0.3)), 'the yellow bar is where it belongs');
    const shown = page.locator('#session .stage > *');
    t.equal(await shown.evaluate(element => element.tagName), tag);

    // A page that comes back knows what it can play, however long it took to find out.
    await session.close();
    await session.listen();
    const again = await until('the page joins again', () => session.control.filter(({ type }) => type === 'join')[1]);
    t.match(again, { chroma444: true, video: true, audio: true });
  });

  t.test(`a ${kind} page follows the display to another size`, async t => {
    const session = await RecordedSession.start(t);
    const page = await openPlayer(t, browser, session, kind);
    await session.play('wide', 5);
    session.send({ type: 'display', width: 322, height: 242, fps: 30, max_area: 2073600 });
    await session.shown(await session.play('small', 30));
    t.ok(isRed(await pixelAt(page, 0.8, 0.3)), 'the red bar is where it belongs');
  });
}

/** Notes at each refresh of the screen what the page shows: the colour of the yellow bar, and where the picture is. */
function watchPicture(): void {
  const seen: { colour: number[]; width: number; place: string }[] = [];
  Object.assign(window, { seen });
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  const look = () => {
    requestAnimationFrame(look);
    const root = document.querySelector('#session')?.shadowRoot;
    const picture = root?.querySelector<HTMLVideoElement | HTMLCanvasElement>('.stage > *');
    if (!picture) return;
    const [width, height] =
      'videoWidth' in picture ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
    context.drawImage(picture, width * 0.56, height * 0.3, 1, 1, 0, 0, 1, 1);
    const { left, top, right, bottom } = picture.getBoundingClientRect();
    seen.push({ colour: [...context.getImageData(0, 0, 1, 1).data], width, place: [left, top, right, bottom].join() });
  };
  requestAnimationFrame(look);
}

for (const kind of ['secure', 'plain'] as const) {
  t.test(`a ${kind} page changes between layers without a dark picture`, async t => {
    const session = await RecordedSession.start(t);
    const page = await openPlayer(t, browser, session, kind);
    session.send({ type: 'display', width: 640, height: 360, fps: 30, max_area: 2073600 });
    await session.shown(await session.playOneByOne('wide', 10));
    await page.evaluate(watchPicture);
    for (const layer of ['half', 'wide', 'half', 'wide'] as const) {
      await session.shown(await session.playOneByOne(layer, 10));
    }
    const seen = await page.evaluate(
      () => (window as unknown as { seen: { colour: number[]; width: number; place: string }[] }).seen,
    );
    t.same(new Set(seen.map(({ width }) => width)), new Set([640, 320]), 'it showed both layers');
    t.same(
      seen.filter(({ colour }) => !isYellow(colour)),
      [],
      'the yellow bar was there at each refresh',
    );
    t.equal(new Set(seen.map(({ place }) => place)).size, 1, 'the picture stayed where it was');
  });
}

t.test('a page on plain HTTP says what is missing and how to fix it', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'plain');
  const note = page.locator('.notice');
  t.match(await note.textContent(), /https/);
  await note.getByRole('button').click();
  t.equal(await note.count(), 0);
});

t.test('a device that is slow to decode its first frames plays all the same', async t => {
  const session = await RecordedSession.start(t);
  const page = await browser.newPage();
  t.teardown(() => page.close());
  await page.addInitScript(() => {
    delete (window as { MediaSource?: unknown }).MediaSource;
    // Both ways by this decoder are tried with two frames each, then the first one again.
    let slow = 6;
    globalThis.VideoDecoder = class extends VideoDecoder {
      constructor({ output, error }: VideoDecoderInit) {
        const isSlow = slow-- > 0;
        super({ output: frame => void (isSlow ? setTimeout(() => output(frame), 2500) : output(frame)), error });
      }
    };
  });
  await page.goto(session.embedUrl('secure'));
  await until('the page joins', () => session.control.some(({ type }) => type === 'join'));
  await session.shown(await session.play('wide', 5));
  await until('the picture is there', async () => (await overlayText(page)) === '');
});

t.test('frames before the first key frame are dropped, and one is requested', async t => {
  const session = await RecordedSession.start(t);
  await openPlayer(t, browser, session, 'secure');
  session.sendDelta();
  await until('a key frame is asked for', () => session.received.some(({ is }) => is === 'refresh'));
  await session.shown(await session.play('wide', 10));
});

t.test('a faulty frame costs a key frame, not the page', async t => {
  const session = await RecordedSession.start(t);
  await openPlayer(t, browser, session, 'secure');
  await session.play('wide', 5);
  session.sendGarbage();
  await until('a key frame is asked for', () => session.received.some(({ is }) => is === 'refresh'));
  await session.shown(await session.play('wide', 10));
});
