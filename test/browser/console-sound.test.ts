// tags: containers, alone
import t, { type Test } from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { ConsoleSession } from '../fixtures/consoles/session.js';
import { serveCards } from '../fixtures/consoles/cards.js';
import { meteredPage, press } from '../fixtures/media/lip-sync.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

/** What the card of the nes plays while A is held. */
const TONE_HZ = 440;
const PRESSES = 11;
/** What the measuring must notice, ms. */
const LATE_MS = 200;
const MAX_SKEW_MS = 80;

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const origin = await serveCards(t);
const browser = await openBrowser(t);
const session = await ConsoleSession.start(service, {
  type: 'nes',
  room_url: `${origin}/card.nes`,
  width: 640,
  height: 400,
});
await session.shows('blue');

t.test('the tone of a game is heard in the viewer while its button is held', async () => {
  const viewer = await ViewerPage.open(browser, session.embedUrl);
  await until('there is a picture', async () => (await viewer.color(320, 200)).length > 0);
  await viewer.page.keyboard.down('x');
  await until('the tone is heard', async () => {
    const { level, frequency } = await viewer.sound();
    return level > 100 && Math.abs(frequency - TONE_HZ) < 20;
  });
  await viewer.page.keyboard.up('x');
  await until('silence', async () => (await viewer.sound()).level < 40);
  await viewer.close();
});

/** How long after the picture the sound of a press comes, ms: the median of a fixed number of presses. */
async function skew(t: Test, { presses = PRESSES, lateMs = 0 } = {}): Promise<number> {
  const page = await meteredPage(browser, session.embedUrl, lateMs);
  t.teardown(() => page.context().close());
  await page.waitForFunction(
    () => document.getElementById('session')?.shadowRoot?.querySelector('.stage canvas') != null,
  );
  // The first sound opens the way that those after it take.
  await page.keyboard.press('x', { delay: 1000 });
  await page.waitForTimeout(1000);
  const skews: number[] = [];
  while (skews.length < presses) {
    const { seen, heard } = await press(page, 'x');
    skews.push(heard - seen);
  }
  const median = skews.sort((a, b) => a - b)[presses >> 1] ?? NaN;
  t.comment(`sound after picture: ${median.toFixed(0)} ms (${skews.map(Math.round).join(', ')})`);
  await page.close();
  return median;
}

t.test('sound and picture are in step', async t => {
  const inStep = await skew(t);
  t.ok(Math.abs(inStep) < MAX_SKEW_MS, `the sound comes ${inStep.toFixed(0)} ms after the picture`);
  const late = await skew(t, { presses: 5, lateMs: LATE_MS });
  t.ok(late - inStep > LATE_MS / 2, `sound that is ${LATE_MS} ms late is measured as late: ${late.toFixed(0)} ms`);
});
