// tags: containers, alone
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { median } from '../fixtures/median.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

const COUNT_KEYS = `let keys = 0; addEventListener('keydown', () => show(++keys)); show(0);`;

/** What half of those who join late may wait for the picture once their page has loaded, in milliseconds. */
const LATE_JOIN_MS = 300;
const JOINS = 5;

const service = await startService(t);
const browser = await openBrowser(t);

t.test('several viewers see and control one session', async t => {
  const session = await startSession(service, COUNT_KEYS);
  const first = await ViewerPage.open(browser, session.url);
  await first.shows(0);
  const second = await ViewerPage.open(browser, session.url, 'plain');
  await second.shows(0);
  await first.page.keyboard.press('a');
  await Promise.all([first.shows(1), second.shows(1)]);
  t.pass('both see what the first does');
  await second.page.keyboard.press('b');
  await Promise.all([first.shows(2), second.shows(2)]);
  t.pass('both see what the second does');
  await first.close();
  await second.page.keyboard.press('c');
  await second.shows(3);
  t.pass('one leaving does not disturb the other');
  await second.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
});

t.test('a viewer who joins late sees a still picture at once', async t => {
  const session = await startSession(service, COUNT_KEYS);
  const first = await ViewerPage.open(browser, session.url);
  await first.shows(0);
  const waits: number[] = [];
  while (waits.length < JOINS) {
    const late = await ViewerPage.open(browser, session.url);
    const opened = performance.now();
    await late.shows(0);
    waits.push(performance.now() - opened);
    await late.close();
  }
  const wait = median(waits);
  t.ok(wait < LATE_JOIN_MS, `${wait.toFixed(0)} ms after the page had loaded`);
  await first.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
});

t.test('without the token a page says so, and others are not disturbed', async t => {
  const session = await startSession(service, COUNT_KEYS);
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(0);
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const query of ['', '?token=wrong']) {
    const response = await page.goto(session.url.replace(/\?.*/, query));
    t.equal(response?.status(), 401, query || 'no token');
  }
  await context.close();
  await viewer.page.keyboard.press('a');
  await viewer.shows(1);
  t.pass('the viewer with the token goes on');
  await viewer.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
});

t.test('a viewer is told why its session ended', async t => {
  const session = await startSession(service, COUNT_KEYS);
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(0);
  await service.api('DELETE', `/v0/vm/${session.id}`);
  const words = await until('the page says so', async () => (await viewer.status()) || null);
  t.match(words, /ended/i);
  await viewer.close();
});
