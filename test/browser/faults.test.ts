// tags: containers
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { containerOf, docker, shell } from '../fixtures/engines/docker.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

const COUNT_KEYS = `let keys = 0; addEventListener('keydown', () => show(++keys)); show(0);`;

/** What a page said over its picture while that stood still, and when it stopped saying so. */
interface Noted {
  words: string;
  back: number;
}

/** Runs in the page: notes the next words that come over the picture, and when they go. */
function noteOutage(): void {
  const status = document.getElementById('session')?.shadowRoot?.querySelector('.status') as HTMLElement;
  let words = '';
  const observer = new MutationObserver(() => {
    if (status.classList.contains('shown')) words += status.textContent;
    else if (words !== '') {
      observer.disconnect();
      Object.assign(window, { outage: { words, back: Date.now() } });
    }
  });
  Object.assign(window, { outage: undefined });
  observer.observe(status, { attributes: true });
}

const service = await startService(t);
const browser = await openBrowser(t);

t.test('faults of a running session', async t => {
  const session = await startSession(service, COUNT_KEYS);
  const container = containerOf(service, session.id);
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(0);
  let keys = 0;
  const press = async () => {
    await viewer.page.keyboard.press('a');
    await viewer.shows(++keys);
  };
  await press();

  await t.test('the service is killed: the viewer reconnects by itself, the session continues', async t => {
    await viewer.page.evaluate(noteOutage);
    const killed = Date.now();
    await service.kill9();
    await service.restart();
    const ready = Date.now() - killed;
    const { back, words } = await until('the viewer is back', () =>
      viewer.page.evaluate(() => (window as Window & { outage?: Noted }).outage),
    );
    t.match(words, /Reconnecting/, 'meanwhile the page says that it reconnects');
    t.comment(`service ready ${ready} ms after the kill, viewer back after ${back - killed} ms`);
    await press();
  });

  await t.test('the display helper is killed: the stream continues', async t => {
    t.equal((await shell(container, 'pkill -KILL -x berth-display')).status, 0);
    // Input that comes while there is no helper is lost.
    await until('a key changes the picture again', async () => {
      await viewer.page.keyboard.press('a');
      return ((await viewer.number()) ?? 0) > keys;
    });
    t.pass('a key changes the picture again');
  });

  await t.test('the browser is killed: it is restarted with its page', async t => {
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
