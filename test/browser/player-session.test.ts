// tags: containers, alone
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { openBar, openPlayer, overlayText } from '../fixtures/viewers/player-page.js';
import { until } from '../fixtures/until.js';

/** What a service that was killed takes to be there again, ms. */
const AWAY_MS = 1000;

const browser = await openBrowser(t);
const joins = (session: RecordedSession) => session.control.filter(({ type }) => type === 'join').length;

t.test('a viewer whose service is killed and restarted is back by itself', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  await session.play('wide', 3);
  await until('the picture is there', async () => (await overlayText(page)) === '');
  const killed = performance.now();
  await session.close();
  await until('the page says so', async () => (await overlayText(page)) === 'Reconnecting…');
  await wait(AWAY_MS - (performance.now() - killed));
  await session.listen();
  await until('the page joins again', () => joins(session) === 2);
  await session.play('wide', 3);
  await until('the picture is there', async () => (await overlayText(page)) === '');
  t.pass(`the picture is there ${Math.round(performance.now() - killed)} ms after the kill`);
});

t.test('a frame from before the connection was lost does not say that it is back', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure', { script: holdDecoder });
  await session.shown(await session.play('wide', 3));
  await until('the picture is there', async () => (await overlayText(page)) === '');
  await page.evaluate(() => decoderHold.hold());
  await session.play('wide', 1);
  await until('the frame is decoded', () => page.evaluate(() => decoderHold.held > 0));
  const before = await pictureOf(page);
  await session.close();
  await until('the page says so', async () => (await overlayText(page)) === 'Reconnecting…');

  await page.evaluate(noteOverlay);
  await page.evaluate(() => decoderHold.release());
  await until('the frame is shown', async () => (await pictureOf(page)) !== before);
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  t.notOk(await page.evaluate(() => (window as Window & { overlayGone?: boolean }).overlayGone), 'it still says so');

  await session.listen();
  await until('the page joins again', () => joins(session) === 2);
  await session.shown(await session.play('wide', 3));
  await until('the picture is there', async () => (await overlayText(page)) === '');
});

t.test('a session that ends says why, and no viewer reconnects', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  session.send({ type: 'end', reason: 'inactive' });
  await until(
    'the page says so',
    async () => (await overlayText(page)) === 'This session has ended because of inactivity.',
  );
  await session.close();
  await session.listen();
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 500)));
  t.equal(joins(session), 1);
});

t.test('a page whose script is broken off while it loads loads again by itself', async t => {
  const session = await RecordedSession.start(t);
  const page = await browser.newPage();
  t.teardown(() => page.close());
  let isBroken = false;
  await page.route('**/player.js', route => {
    if (isBroken) return route.continue();
    isBroken = true;
    return route.abort('internetdisconnected');
  });
  await page.goto(session.embedUrl('secure'));
  await until('the page joins', () => joins(session) > 0);
  t.ok(isBroken);
});

t.test('a refused viewer learns why', async t => {
  const session = await RecordedSession.start(t);
  const page = await browser.newPage();
  t.teardown(() => page.close());
  for (const [status, words] of [
    [401, /not allowed/],
    [404, /no such session/],
    [409, /has ended/],
  ] as const) {
    session.status = status;
    await page.goto(session.embedUrl('secure'));
    await page.reload();
    await until(`${status}`, async () => words.test(await overlayText(page)));
  }
});

t.test('a viewer that reconnects to an ended session learns why it ended', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  await session.close();
  session.status = 409;
  session.statusBody = { code: 'session_ended', message: 'The session has ended.', termination_reason: 'absolute' };
  await session.listen();
  await until('the page says so', async () => (await overlayText(page)) === 'This session has reached its time limit.');
});

t.test('a viewer is told when it loses control, and when it has it again', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  const cursor = () =>
    page.evaluate(
      () => document.querySelector('#session')?.shadowRoot?.querySelector<HTMLElement>('.stage')?.style.cursor,
    );
  session.send({ type: 'access', admin: false, roles: ['control'], permissions: { control_disabled: true } });
  await page.getByText('You no longer have control of this session.').waitFor();
  t.equal(await cursor(), 'not-allowed');
  session.send({ type: 'access', admin: false, roles: ['control'], permissions: {} });
  await page.getByText('You have control of this session now.').waitFor();
  t.equal(await page.locator('.notice').count(), 1, 'the first note is gone');
  t.not(await cursor(), 'not-allowed');
  session.send({ type: 'access', admin: false, roles: ['control'], permissions: {}, controls: false });
  await page.getByText('You no longer have control of this session.').waitFor();
});

t.test('on a narrow display dialogs of pages are answered beside it, by viewers with control', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  const size = (width: number) => session.send({ type: 'display', width, height: 640, fps: 30, max_area: 1920 * 1080 });
  const prompt = { type: 'prompt', tab_id: 3, origin: 'https://example.com', message: 'Who?\nYou.' } as const;
  const ask = (id: string) => session.send({ type: 'dialogs', dialogs: [{ ...prompt, id, default_value: 'nobody' }] });
  const card = page.getByRole('dialog', { name: 'example.com says' });
  ask('wide');
  size(360);
  ask('narrow');
  await card.getByText('You.').waitFor();
  t.equal(await card.getByRole('textbox').inputValue(), 'nobody');
  session.results['dialogs.accept'] = { value: {} };
  await card.getByRole('textbox').fill('Ada');
  await card.getByRole('button', { name: 'OK' }).click();
  const call = await until('it is answered', () => session.control.find(({ type }) => type === 'call'));
  t.match(call, { method: 'dialogs.accept', args: ['narrow', { text: 'Ada' }] });

  session.send({ type: 'access', admin: false, roles: ['control'], permissions: {}, controls: false });
  await card.waitFor({ state: 'detached' });
  session.send({ type: 'access', admin: false, roles: ['control'], permissions: {}, controls: true });
  await card.waitFor();
  session.send({ type: 'dialogs', dialogs: [] });
  await card.waitFor({ state: 'detached' });
  size(640);
  ask('wide');
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  t.equal(await card.count(), 0, 'where there is room, there is Chromium’s own');
});

t.test('several windows are listed, to switch between them and to close them', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  const window = (id: number, title: string, active = false) =>
    ({ id, kind: 'browser', title, active, x: 0, y: 0, width: 1280, height: 720 }) as const;
  const list = page.getByRole('navigation', { name: 'Windows' });
  const call = (method: string) => session.control.filter(each => each.type === 'call' && each.method === method);
  session.send({ type: 'access', admin: false, roles: ['control'], permissions: {} });
  session.send({ type: 'windows', windows: [window(1, 'First', true)] });
  session.send({ type: 'windows', windows: [window(1, 'First'), window(2, '<b>Sign in</b>', true)] });
  await list.getByRole('button', { name: '2 windows' }).click();
  t.equal(await list.getByRole('button', { name: '<b>Sign in</b>', exact: true }).getAttribute('aria-current'), 'true');
  await list.getByRole('button', { name: 'First', exact: true }).click();
  await until('it is asked for', () => call('windows.activate').length === 1);
  t.match(call('windows.activate'), [{ args: [1] }]);

  const toggle = list.getByRole('button', { name: '2 windows' });
  t.equal(await toggle.getAttribute('aria-expanded'), 'false');
  await toggle.focus();
  await page.keyboard.press('Enter');
  await list.getByRole('button', { name: 'Close <b>Sign in</b>' }).focus();
  await page.keyboard.press('Enter');
  await until('it is to close', () => call('windows.close').length === 1);
  t.match(call('windows.close'), [{ args: [2] }]);
  session.send({ type: 'windows', windows: [window(1, 'First', true)] });
  await list.waitFor({ state: 'hidden' });

  session.send({ type: 'windows', windows: [window(1, 'First', true), window(3, '')] });
  await list.waitFor();
  session.send({ type: 'access', admin: false, roles: ['control'], permissions: {}, controls: false });
  await list.waitFor({ state: 'hidden' });
});

t.test('others’ pointers are drawn on request, for viewers allowed to see them', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  const button = page.getByRole('button', { name: 'Others’ pointers' });
  t.equal(await button.count(), 0);
  session.send({ type: 'access', admin: false, roles: ['control', 'cursor_data'], permissions: {} });
  await openBar(page);
  await button.click();
  session.send({ type: 'pointer', user_id: 'ada1815', x: 0.5, y: 0.25 });
  session.send({ type: 'pointer', user_id: 'bob', x: 0.9, y: 0.9 });
  session.send({ type: 'pointer', user_id: 'bob' });
  const names = page.locator('.cursor');
  await names.getByText('ada1').waitFor();
  t.equal(await names.count(), 1);
  const seen = await page.evaluate(() => {
    const root = document.querySelector('#session')?.shadowRoot;
    const { left, top } = root?.querySelector('.cursor')?.getBoundingClientRect() ?? { left: NaN, top: NaN };
    return { x: Math.round(left), y: Math.round(top), width: innerWidth, height: innerHeight };
  });
  // 640x360 in the middle of the window, whose proportions are others.
  const height = (seen.width * 360) / 640;
  t.equal(seen.x, seen.width / 2);
  t.ok(Math.abs(seen.y - ((seen.height - height) / 2 + height / 4)) <= 1, `${seen.y} px`);
  await button.click();
  t.notOk(await names.first().isVisible());
});

t.test('a viewer is warned before an unused session ends, and can stay', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  const banner = page.locator('.warning');
  const close_date = new Date(Date.now() + 45_000).toISOString();
  const before = performance.now();
  session.send({ type: 'warning', timeout: 'inactive', delay_ms: 45_000, close_date });
  await until('the banner is there', () => banner.isVisible());
  const words = (await banner.textContent()) ?? '';
  const least = Math.ceil(45 - (performance.now() - before) / 1000);
  const left = Number(/^This session ends in (\d+) s because nobody is using it\./.exec(words)?.[1]);
  t.ok(left >= least && left <= 45, `${words} (${least} to 45 are right)`);
  await banner.getByRole('button', { name: 'I’m still here' }).click();
  await until('the service hears of it', () => session.control.some(({ type }) => type === 'keepAlive'));
  session.send({ type: 'warning' });
  await until('the banner is gone', async () => !(await banner.isVisible()));
});

for (const kind of ['secure', 'plain'] as const) {
  t.test(`sound is heard on a ${kind} page`, async t => {
    const session = await RecordedSession.start(t);
    const page = await openPlayer(t, browser, session, kind);
    await page.evaluate(listenToPage);
    const heard = await session.whileToneIsPlayed(() =>
      until('a tone of 440 Hz', async () => {
        const frequency = await page.evaluate(() => (window as Window & { heard?: () => number }).heard?.() ?? 0);
        return Math.abs(frequency - 440) < 25 && frequency;
      }),
    );
    t.ok(heard, `${heard} Hz`);
  });
}

t.test('sound blocked by the browser has one clear button', async t => {
  const shy = await openBrowser(t, { autoplay: false });
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, shy, session, 'secure');
  const button = page.getByRole('button', { name: 'Play sound' });
  // Looking at the page counts as a person's gesture in this browser, so sound has to be opened first.
  await session.playTone();
  await until('sound is opened', () => session.requested.includes('/assets/audio-worklet.js'));
  await until('the button is there', () => button.isVisible());
  await button.click();
  await until('the button is gone', async () => !(await button.isVisible()));
});

t.test('muting stops the transfer of sound, and unmuting restores the volume', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  await openBar(page);
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await until('the service hears of it', () =>
    session.control.some(message => message.type === 'media' && message.audio === false),
  );
  await page.getByRole('button', { name: 'Unmute' }).click();
  await until('and again', () => session.control.some(message => message.type === 'media' && message.audio === true));
  t.equal(await page.getByRole('slider', { name: 'Volume' }).inputValue(), '1');
});

t.test('the bar can be reached and left with the keyboard alone', async t => {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await page.locator('.bar.open').waitFor({ state: 'detached' });
  await until('it is hidden', () => page.locator('.tools').isHidden());
  for (const key of ['Control', 'Alt', 'Shift']) await page.keyboard.down(key);
  for (const key of ['Control', 'Alt', 'Shift']) await page.keyboard.up(key);
  t.equal(await focused(), 'Mute');
  await page.keyboard.press('Enter');
  await until('the key is the button’s', () =>
    session.control.some(message => message.type === 'media' && message.audio === false),
  );
  await page.keyboard.press('Escape');
  t.equal(await focused(), 'Session');
});

/** Puts an analyser before the speakers; runs in the page, before its first sound. */
function listenToPage(): void {
  const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
  (AudioNode.prototype as { connect: unknown }).connect = function (this: AudioNode, to: AudioNode) {
    if (to instanceof AudioDestinationNode) {
      const analyser = new AnalyserNode(this.context, { fftSize: 8192 });
      connect.call(this, analyser);
      const levels = new Float32Array(analyser.frequencyBinCount);
      Object.assign(window, {
        heard: () => {
          analyser.getFloatFrequencyData(levels);
          const loudest = levels.reduce((best, level, i) => (level > (levels[best] ?? -Infinity) ? i : best), 0);
          return (levels[loudest] ?? -Infinity) < -60 ? 0 : (loudest * analyser.context.sampleRate) / 8192;
        },
      });
    }
    return connect.call(this, to);
  };
}

/** What `holdDecoder` offers in the page. */
declare const decoderHold: { hold(): void; readonly held: number; release(): void };

/**
 * Runs in the page before its own scripts: decoded frames wait from `hold` until `release`. Meanwhile its clock stands
 * still, since a decoder that gives nothing for two seconds would be replaced.
 */
function holdDecoder(): void {
  let isHeld = false;
  const waiting: (() => void)[] = [];
  const clock = performance.now.bind(performance);
  globalThis.VideoDecoder = class extends VideoDecoder {
    constructor({ output, error }: VideoDecoderInit) {
      super({ output: frame => void (isHeld ? waiting.push(() => output(frame)) : output(frame)), error });
    }
  };
  Object.assign(window, {
    decoderHold: {
      hold: () => {
        const now = clock();
        isHeld = true;
        performance.now = () => now;
      },
      get held() {
        return waiting.length;
      },
      release: () => {
        isHeld = false;
        for (const output of waiting.splice(0)) output();
        performance.now = clock;
      },
    },
  });
}

/** Runs in the page: notes whether the overlay goes from now on, however briefly. */
function noteOverlay(): void {
  const status = document.getElementById('session')?.shadowRoot?.querySelector('.status') as HTMLElement;
  Object.assign(window, { overlayGone: !status.classList.contains('shown') });
  new MutationObserver(() => {
    if (!status.classList.contains('shown')) Object.assign(window, { overlayGone: true });
  }).observe(status, { attributes: true });
}

/** The picture that the page shows, as text. */
const pictureOf = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      document
        .querySelector('#session')
        ?.shadowRoot?.querySelector<HTMLCanvasElement>('.stage > canvas')
        ?.toDataURL() ?? '',
  );
