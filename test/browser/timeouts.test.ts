// tags: containers
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

const service = await startService(t);
const browser = await openBrowser(t);

t.test(
  'the inactivity warning is visible, "I’m still here" dismisses it, and at the end the page says why',
  async t => {
    const timeout = { inactive: 20, warning: 14 };
    const session = await startSession(service, 'show(1);', { timeout });
    const viewer = await ViewerPage.open(browser, session.url);
    await viewer.shows(1);

    const warning = viewer.page.locator('.warning');
    await warning.waitFor({ state: 'visible', timeout: 60_000 });
    t.match(await warning.textContent(), /ends in \d+ s because nobody is using it/);
    await viewer.page.getByRole('button', { name: 'still here' }).click();
    await warning.waitFor({ state: 'hidden', timeout: 60_000 });
    t.pass('the warning goes');

    await warning.waitFor({ state: 'visible', timeout: 60_000 });
    const words = await until('the end', async () => (await viewer.status()) || null);
    t.match(words, /ended/i);
    const { body } = await service.api('GET', `/v0/vm/${session.id}`);
    t.equal(body.termination_reason, 'inactive');
    await viewer.close();
  },
);
