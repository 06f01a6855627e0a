import t from 'tap';
import { openBrowser } from '../fixtures/browser.js';
import { ConsoleSession } from '../fixtures/console-session.js';
import { serveCards } from '../fixtures/games.js';
import { meteredPage, press } from '../fixtures/lip-sync.js';
import { startService } from '../fixtures/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewer-page.js';

/** What the card of the nes plays while A is held. */
const TONE_HZ = 440;
const PRESSES = 9;
const MOST_PRESSES = 40;
const MAX_SKEW_MS = 80;

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const origin = await serveCards(t);
const browser = await openBrowser(t);
const session = await ConsoleSession.start(service, { type: 'nes', room_url: `${origin}/card.nes`, width: 640, height: 400 });
await session.shows('blue');

t.test('the tone of a game is heard in the viewer while its button is held', async () => {
  const viewer = await ViewerPage.open(browser, session.embedUrl);
  await until('there is a picture', async () => (await viewer.color(320, 200)).length > 0, 20_000);
  await viewer.page.keyboard.down('x');
  await until('the tone is heard', async () => {
    const { level, frequency } = await viewer.sound();
    return level > 100 && Math.abs(frequency - TONE_HZ) < 20;
  }, 30_000);
  await viewer.page.keyboard.up('x');
  await until('silence', async () => (await viewer.sound()).level < 40, 30_000);
  await viewer.close();
});

t.test('sound and picture are in step', async t => {
  const page = await meteredPage(browser, session.embedUrl);
  t.teardown(() => page.context().close());
  await page.waitForFunction(() => document.getElementById('session')?.shadowRoot?.querySelector('.stage canvas') != null);
  // The first sound opens the way that those after it take.
  await page.keyboard.press('x', { delay: 1000 });
  await page.waitForTimeout(1000);
  const skews: number[] = [];
  const median = () => skews.slice(-PRESSES).sort((a, b) => a - b)[PRESSES >> 1] ?? NaN;
  // A machine that is busy with other things delays both, the sound more: it is given time.
  while (skews.length < PRESSES || (Math.abs(median()) >= MAX_SKEW_MS && skews.length < MOST_PRESSES)) {
    const { seen, heard } = await press(page, 'x');
    skews.push(heard - seen);
  }
  t.ok(Math.abs(median()) < MAX_SKEW_MS, `the sound comes ${median().toFixed(0)} ms after the picture (${skews.map(Math.round).join(', ')})`);
});
