import t from 'tap';
import { openBrowser } from '../fixtures/browser.js';
import { containerOf, docker, shell } from '../fixtures/docker.js';
import { startSession } from '../fixtures/live-session.js';
import { startService } from '../fixtures/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewer-page.js';

const COUNT_KEYS = `let keys = 0; addEventListener('keydown', () => show(++keys)); show(0);`;

/** Time for a viewer to be back by itself, in milliseconds. */
const BACK_WITHIN_MS = 3000;

/** Runs in the page: notes when the words over the picture go. */
function noteReturn(): void {
  const status = document.getElementById('session')?.shadowRoot?.querySelector('.status') as HTMLElement;
  const look = () => {
    if (!status.classList.contains('shown')) Object.assign(window, { back: Date.now() });
  };
  new MutationObserver(look).observe(status, { attributes: true });
}

const service = await startService(t);
const browser = await openBrowser(t);

t.test('faults of a running session', async t => {
  const session = await startSession(service, COUNT_KEYS);
  const container = containerOf(service, session.id);
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(0, 30_000);
  let keys = 0;
  const press = async () => {
    await viewer.page.keyboard.press('a');
    await viewer.shows(++keys);
  };
  await press();

  await t.test('the service is killed: the viewer is back by itself, the session goes on', async t => {
    await service.kill9();
    await until('the page says that it reconnects', async () => /Reconnecting/.test(await viewer.status()));
    await viewer.page.evaluate(noteReturn);
    await service.restart();
    const ready = Date.now();
    const back = await until('the viewer is back', () => viewer.page.evaluate(() => (window as Window & { back?: number }).back));
    t.ok(back - ready < BACK_WITHIN_MS, `${back - ready} ms after the service was ready`);
    await press();
    t.pass('the same page of the same session goes on counting');
  });

  await t.test('the display helper is killed: the stream goes on', async t => {
    t.equal((await shell(container, 'pkill -KILL -x berth-display')).status, 0);
    // Input that comes while there is no helper is lost.
    await until('a key changes the picture again', async () => {
      await viewer.page.keyboard.press('a');
      return ((await viewer.number()) ?? 0) > keys;
    }, BACK_WITHIN_MS);
    t.pass('a key changes the picture again');
  });

  await t.test('the browser is killed: it is back with its page', async t => {
    // Its first process; others end with it.
    t.equal((await shell(container, 'pkill -KILL -o -f /usr/lib/chromium/chromium')).status, 0);
    await viewer.shows(0);
    t.pass('the page was loaded again');
    keys = 0;
    await press();
  });

  await t.test('the container is removed: the viewer is told', async t => {
    await docker('rm', '-f', container);
    // The link is lost before the container is known to be gone: that is told first.
    await until('the page says so', async () => /ended|crash|stopped/i.test(await viewer.status()));
    t.pass('the page says so');
    const ended = async () => {
      const { body } = await service.api('GET', `/v0/vm/${session.id}`);
      return body.termination_reason === 'crashed';
    };
    await until('the session counts as crashed', ended);
    t.pass('the session counts as crashed');
  });
});
