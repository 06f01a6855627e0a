// tags: containers
import t from 'tap';
import type { Page } from 'playwright-core';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { documentedPolicy } from '../fixtures/pages/documented-policy.js';
import { embed, embeddingPage, type Embedding } from '../fixtures/pages/embedding-page.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { until } from '../fixtures/until.js';

declare const embedding: Embedding;
const browser = await openBrowser(t);

const keysOf = (session: RecordedSession) =>
  session.received.filter(m => m.is === 'input' && m.event.type === 'key').length;
const keysymsOf = (session: RecordedSession) =>
  session.received.flatMap(m =>
    m.is === 'input' && m.event.type === 'key' ? [String.fromCharCode(m.event.keysym)] : [],
  );

/** Mounts a session in a new `div` that `place` puts onto the page. */
const mountAt = (page: Page, url: string, place: (box: HTMLElement) => void, options: object = {}) =>
  page.evaluate(
    async ([url, place, options]) => {
      const box = document.createElement('div');
      box.style.cssText = 'width: 320px; height: 200px';
      (0, eval)(`(${place})`)(box);
      const { default: Berth } = (await import(
        new URL('/assets/sdk.js', url).href
      )) as typeof import('../../src/web/sdk/index.js');
      await Berth(box, url, { timeout: 60_000, ...options });
    },
    [url, String(place), options] as const,
  );

t.test('several sessions on one page have their own pictures, and keys go to the last one used', async t => {
  const [first, page] = await embed(t, browser);
  const second = await RecordedSession.start(t);
  await mountAt(page, first.embedUrl('secure'), box => document.body.append(box));
  await mountAt(page, second.embedUrl('secure'), box => document.body.append(box));
  await Promise.all([first, second].map(async session => session.shown(await session.play('wide', 3))));
  await page.keyboard.press('a');
  await until('the first has the key', () => keysOf(first) === 2);
  t.equal(keysOf(second), 0);
  await page
    .locator('div >> .stage')
    .nth(1)
    .click({ position: { x: 100, y: 100 } });
  await page.keyboard.press('b');
  await until('the second has the key', () => keysOf(second) === 2);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('c');
  await until('the second still gets keys', () => keysOf(second) === 4);
  t.equal(keysOf(first), 2);
});

t.test('a session inside a closed shadow root gets keys without delegation', async t => {
  const [session, page] = await embed(t, browser);
  const place = (box: HTMLElement) =>
    document.body.appendChild(document.createElement('section')).attachShadow({ mode: 'closed' }).append(box);
  await mountAt(page, session.embedUrl('secure'), place, { delegateKeyboard: false });
  await session.shown(await session.play('wide', 3));
  await page.keyboard.press('a');
  const box = await page.locator('section').boundingBox();
  await page.mouse.click((box?.x ?? 0) + 100, (box?.y ?? 0) + 100);
  await page.keyboard.press('b');
  await until('the key came', () => keysymsOf(session).includes('b'));
  t.notOk(keysymsOf(session).includes('a'), 'none before it had the focus');
});

t.test('a page in an iframe of another origin can embed a session', async t => {
  const session = await RecordedSession.start(t);
  const { port, origin } = new URL(session.embedUrl('secure'));
  session.pages.set('/inner', embeddingPage());
  const page = await browser.newPage();
  t.teardown(() => page.close());
  session.pages.set(
    '/outer',
    `<!doctype html><iframe src="${origin}/inner" allow="autoplay" width="700" height="500"></iframe>`,
  );
  await page.goto(`http://127.0.0.1:${port}/outer`);
  const frame = await until('the frame is there', () => page.frames().find(frame => frame.url().endsWith('/inner')));
  await frame.waitForFunction(() => 'mount' in window);
  t.equal(await frame.evaluate(() => embedding.mount()), 'mounted');
  await session.shown(await session.play('wide', 3));
  await page.mouse.click(300, 200);
  await page.keyboard.press('a');
  await until('the key came', () => keysOf(session) === 2);
});

for (const kind of ['secure', 'plain'] as const) {
  t.test(`the documented policy is enough for a ${kind} page, with picture, sound and pointers`, async t => {
    const session = await RecordedSession.start(t);
    const service = new URL(session.embedUrl(kind));
    const policy = `default-src 'none'; ${await documentedPolicy(service.origin)}`;
    session.pages.set(
      '/strict',
      `<!doctype html><meta http-equiv="content-security-policy" content="${policy}"><title>strict</title>`,
    );
    const page = await browser.newPage();
    t.teardown(() => page.close());
    const violations: string[] = [];
    await page.exposeFunction('violated', (text: string) => void violations.push(text));
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        (window as unknown as { violated(text: string): void }).violated(`${violatedDirective} ${blockedURI}`),
      );
    });
    // An origin of its own: the service is another one, as it is for integrators.
    await page.goto(`http://${kind === 'secure' ? '127.0.0.1' : 'page.test'}:${service.port}/strict`);
    await mountAt(page, service.href, box => document.body.append(box), { showCursors: true });
    await session.shown(await session.play('wide', 5));
    session.send({ type: 'pointer', user_id: 'ada', x: 0.5, y: 0.5 });
    await page.locator('div >> .cursor').waitFor();
    t.equal(
      await page.locator('div >> .cursor svg').evaluate(svg => getComputedStyle(svg).width),
      '16px',
      'its styles are applied',
    );
    await session.playTone();
    const decoder = kind === 'secure' ? '/assets/audio-worklet.js' : '/assets/opus-decoder.js';
    await until('sound is played', () => session.requested.includes(decoder));
    await session.playTone();
    t.same(violations, []);
  });
}
