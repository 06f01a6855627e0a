// tags: containers, alone
import t from 'tap';
import type { CDPSession } from 'playwright-core';
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

t.test('without the options fingers act as a pointer only', async t => {
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
