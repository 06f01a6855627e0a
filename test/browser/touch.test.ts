// tags: containers, alone
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import type { CDPSession } from 'playwright-core';
import { Fingers } from '../fixtures/viewers/fingers.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { startSession, type LiveSession } from '../fixtures/pages/pixel-session.js';
import { startService } from '../fixtures/services/service.js';
import { sessionHtml } from '../fixtures/pages/pixel-page.js';
import { serveToSessions } from '../fixtures/pages/site-for-sessions.js';
import { until } from '../fixtures/until.js';
import { ACTIVATES } from '../fixtures/pages/user-activation.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

/** The numbers that the page shows after a key, and that another page shows. */
const TOUCHED = 400;
const NEXT = 500;
/** The number of a page on which a button was pressed, plus the button's. */
const PRESSED = 10_000;

/** Shows how far the page was zoomed, in tenths. */
const PAGE = `
  ${ACTIVATES}
  let most = 1;
  const tell = () => show(Math.round(most * 10));
  visualViewport.addEventListener('resize', () => { most = Math.max(most, visualViewport.scale); tell(); });
  addEventListener('keydown', event => { if (event.key === 'a' && activates(event)) show(${TOUCHED}); });
  tell();`;
const NEXT_PAGE = `show(${NEXT}); addEventListener('keydown', () => show(${NEXT + 1}));`;

// Chromium's history goes through pages that have an address.
const site = await serveToSessions(t, path => sessionHtml(path === '/next' ? NEXT_PAGE : PAGE));
const service = await startService(t, { BERTH_EGRESS: 'open' });
const browser = await openBrowser(t);

type Place = [x: number, y: number];

/** The fingers of somebody in front of a viewer's screen. */
async function handOn(viewer: ViewerPage) {
  const cdp: CDPSession = await viewer.page.context().newCDPSession(viewer.page);
  const touchAt = (timestamp: number, type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: Place[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, timestamp, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: Place[]) =>
    touchAt(Date.now() / 1000, type, ...places);
  return {
    async pinch() {
      await touch('touchStart', [300, 200]);
      await touch('touchStart', [300, 200], [340, 200]);
      for (let step = 1; step <= 10; step++) await touch('touchMove', [300 - step * 12, 200], [340 + step * 12, 200]);
      await touch('touchEnd');
    },
    /** Moves a finger evenly within 0.15 s, and lifts it `rest` seconds after its last move. */
    async drag(from: Place, to: Place, rest: number) {
      // What it takes is over already, or a busy machine makes a long press of it; nothing is before earlier touches.
      await wait((0.15 + rest) * 1000 + 50);
      const start = Date.now() / 1000 - 0.15 - rest;
      const at = (side: 0 | 1, step: number) => from[side] + ((to[side] - from[side]) * step) / 10;
      const moves = () =>
        Array.from({ length: 10 }, (_, i) =>
          touchAt(start + (i + 1) * 0.015, 'touchMove', [at(0, i + 1), at(1, i + 1)]),
        );
      await Promise.all([touchAt(start, 'touchStart', from), ...moves(), touchAt(start + 0.15 + rest, 'touchEnd')]);
    },
    async tap(at: Place) {
      await touch('touchStart', at);
      await touch('touchEnd');
    },
    async press(at: Place) {
      await touch('touchStart', at);
      await wait(1000);
      await touch('touchEnd');
    },
    async swipe(from: Place, to: Place) {
      // By the times that the events carry it takes 0.15 s, however busy the machine is: a slow stroke is a drag.
      const middle: Place = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      const end = Date.now() / 1000;
      await touchAt(end - 0.15, 'touchStart', from);
      await touchAt(end - 0.1, 'touchMove', middle);
      await touchAt(end - 0.05, 'touchMove', to);
      await touchAt(end, 'touchEnd');
    },
  };
}

/** How far the first page was zoomed, in tenths, as soon as it is not any more and its number can be read. */
const zoomed = (viewer: ViewerPage) =>
  until('the first page can be read', async () => {
    const number = await viewer.number();
    return number !== null && number >= 10 && number <= 40 && number;
  });

/** Has the session's tab open another page; the first must be touched, or Chromium's history skips it. */
async function goOn(session: LiveSession, viewer: ViewerPage) {
  // Chromium takes no input in the first moments of a page.
  await until('it is touched', async () => {
    await viewer.page.keyboard.press('a');
    return viewer.shows(TOUCHED, 500).then(
      () => true,
      () => false,
    );
  });
  const response = await fetch(`${session.url.split('?')[0]}/tabs.update`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify([null, { url: `${site}/next` }]),
  });
  if (!response.ok) throw new Error(await response.text());
  await viewer.shows(NEXT);
}

t.test('gestures on a touch screen reach a session that handles them', async t => {
  const session = await startSession(service, '', {
    start_url: `${site}/`,
    touch_gestures: { swipe: true, pinch: true },
  });
  const viewer = await ViewerPage.open(browser, session.url, 'secure', { hasTouch: true });
  await viewer.shows(10);
  const hand = await handOn(viewer);

  await t.test('a swipe to the right goes back, one to the left forward', async t => {
    await goOn(session, viewer);
    const swipe = async (from: Place, to: Place, numbers: number[]) => {
      await hand.swipe(from, to);
      await until(`one swipe leads to ${numbers.join(' or ')}`, async () =>
        numbers.includes((await viewer.number()) ?? -1),
      );
    };
    await swipe([200, 250], [400, 260], [10, TOUCHED]);
    await swipe([400, 250], [200, 260], [NEXT]);
    await swipe([200, 250], [400, 260], [10, TOUCHED]);
    t.pass('both');
  });

  await t.test('a pinch zooms, and Escape resets it', async t => {
    const zoom = async () => {
      await hand.pinch();
      // Zoomed, the page's number cannot be read.
      await until('one pinch zooms', async () => (await viewer.number()) === null);
    };
    await zoom();
    await viewer.page.keyboard.press('Escape');
    t.pass(`it was zoomed to ${(await zoomed(viewer)) / 10}`);
    await zoom();
    await viewer.page.keyboard.press('F5');
    await zoomed(viewer);
    t.pass('a reload takes it back as well');
  });

  await viewer.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
});

/** Shows how far the page is scrolled, or that a button was pressed on it. */
const SCROLLED = `
  addEventListener('scroll', () => show(Math.round(scrollY)));
  addEventListener('mousedown', ({ button }) => show(${PRESSED} + button));
  show(0);`;

/** Waits until a session's browser can be called, which scrolls its pages by pixels, and its page takes input. */
async function takesInput({ url, adminToken }: LiveSession, viewer: ViewerPage): Promise<void> {
  await until('the browser can be called', async () => {
    const response = await fetch(`${url.split('?')[0]}/tabs.query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: '[{}]',
    });
    return response.ok;
  });
  await until('the page is clicked', async () => {
    await viewer.page.mouse.click(300, 300);
    return viewer.shows(PRESSED, 500).then(
      () => true,
      () => false,
    );
  });
}

/** The number that a page shows as soon as it stays the same. */
async function standsAt(viewer: ViewerPage): Promise<number> {
  let number: number | null = null;
  await until('it stands still', async () => {
    const before = number;
    number = await viewer.number();
    await wait(300);
    return number !== null && before === number;
  });
  return number ?? NaN;
}

t.test('one finger scrolls the page of a computer', async t => {
  const session = await startSession(service, SCROLLED);
  const viewer = await ViewerPage.open(browser, session.url, 'secure', { hasTouch: true });
  await viewer.shows(0);
  await takesInput(session, viewer);
  const hand = await handOn(viewer);

  await t.test('by as much as the finger moves', async t => {
    await hand.drag([300, 300], [300, 263], 0.2);
    await viewer.shows(37);
    await hand.drag([300, 300], [305, 163], 0.2);
    await viewer.shows(37 + 137);
    await hand.drag([300, 200], [300, 237], 0.2);
    await viewer.shows(137);
    t.pass('there and back');
  });

  await t.test('on by itself after a flick, until the next touch, which is no click', async t => {
    const before = await standsAt(viewer);
    await hand.drag([300, 300], [300, 150], 0.01);
    await until('it scrolls on', async () => ((await viewer.number()) ?? 0) > before + 200);
    await hand.tap([300, 300]);
    const after = await standsAt(viewer);
    t.ok(after > before + 200 && after < PRESSED, `by ${after - before}`);
  });

  await t.test('a tap clicks, and a long press clicks right', async t => {
    await hand.tap([300, 300]);
    await viewer.shows(PRESSED);
    await hand.press([300, 300]);
    await viewer.shows(PRESSED + 2);
    t.pass('both');
  });

  await viewer.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
});

t.test('the page of a phone gets fingers as they are', async t => {
  const script = `
    document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width">');
    let touched = false;
    addEventListener('touchstart', () => show(${TOUCHED}));
    addEventListener('touchmove', () => (touched = true), { passive: true });
    addEventListener('click', ({ pointerType }) => show(pointerType === 'touch' ? ${PRESSED} : 0));
    addEventListener('scroll', () => touched && scrollY > 50 && show(1));
    show(0);`;
  const session = await startSession(service, script, { user_agent: 'chrome_android' });
  const viewer = await ViewerPage.open(browser, session.url, 'secure', { hasTouch: true });
  await viewer.shows(0);
  const fingers = await Fingers.on(viewer.page);
  await until('the page takes touches', async () => {
    await fingers.down(1, { x: 300, y: 300 });
    const isTouched = await viewer.shows(TOUCHED, 500).then(
      () => true,
      () => false,
    );
    await fingers.up(1);
    return isTouched;
  });
  t.pass('at their first contact');

  await fingers.down(1, { x: 300, y: 300 });
  await fingers.up(1);
  await viewer.shows(PRESSED);
  t.pass('a tap is a click');

  await fingers.down(1, { x: 300, y: 300 });
  for (let y = 290; y >= 150; y -= 10) {
    await fingers.move(1, { x: 300, y });
    await wait(15);
  }
  await viewer.shows(1);
  await fingers.up(1);
  t.pass('one that moves scrolls');
  await viewer.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
});

t.test('without the options fingers neither zoom the page nor leave it', async t => {
  const session = await startSession(service, '', { start_url: `${site}/` });
  const viewer = await ViewerPage.open(browser, session.url, 'secure', { hasTouch: true });
  await viewer.shows(10);
  const hand = await handOn(viewer);
  await goOn(session, viewer);
  await hand.pinch();
  await hand.swipe([200, 250], [400, 260]);
  await viewer.page.keyboard.press('a');
  await viewer.shows(NEXT + 1);
  t.pass('neither zoomed nor gone back');
  await viewer.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
});
