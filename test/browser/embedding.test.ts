// tags: containers
import t from 'tap';
import type { Page } from 'playwright-core';
import type { BrowserSession } from '../../src/web/sdk/index.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { integratorPage } from '../fixtures/pages/integrator.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';

const PAGE = `<!doctype html><title>An integrator's page</title>
<style>#computer { width: 640px; height: 400px }</style><div id="computer"></div>`;

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const service = await startService(t);
const browser = await openBrowser(t);

/** What the script of the page keeps in the window. */
interface Embedding extends Window {
  session: BrowserSession;
  ended: string[];
}

/** Mounts the session with the SDK that the service serves. */
function mount(page: Page, embedUrl: string, adminToken: string): Promise<void> {
  const sdk = `${service.url}/sdk.js`;
  return page.evaluate(
    async ([sdk, embedUrl, adminToken]) => {
      const { default: Berth } = (await import(sdk)) as {
        default: typeof import('../../src/web/sdk/index.js').default;
      };
      const embedding = window as unknown as Embedding;
      embedding.ended = [];
      embedding.session = (await Berth(document.getElementById('computer') as HTMLDivElement, embedUrl, {
        adminToken,
        timeout: 60_000,
        onDisconnect: ({ type }) => void embedding.ended.push(type),
      })) as BrowserSession;
    },
    [sdk, embedUrl, adminToken] as const,
  );
}

t.test('a page controls tabs, roles and permissions of a real session', async t => {
  const session = await startSession(service, `document.title = 'first';`, { kiosk: false });
  const page = await integratorPage(t, browser, PAGE, CLIPBOARD);
  await mount(page, session.url, session.adminToken);
  const found = await page.evaluate(async () => {
    const { session } = window as unknown as Embedding;
    const { tabs, userId } = session;
    const created = new Promise<string | undefined>(resolve =>
      tabs.onCreated.addListener(tab => resolve(tab.pendingUrl ?? tab.url)),
    );
    const updated = new Promise<string>(resolve =>
      tabs.onUpdated.addListener((_id, { title }) => title === 'second' && resolve(title)),
    );
    const tab = await tabs.create({ url: 'data:text/html,<title>second</title>' });
    const error = await tabs
      .get(987_654)
      .catch((error: Error & { code?: string }) => `${error.code}: ${error.message}`);
    const events = [await created, await updated];
    await tabs.remove(tab.id as number);
    const left = (await tabs.query({})).length;
    const permissions = await session.setPermissions(userId, { priority: 3 });
    await session.removeRoles([userId], ['resize']);
    return { error, events, left, permissions, userId };
  });
  t.match(found, {
    error: 'tab_error: No tab with id: 987654.',
    events: [/second/, 'second'],
    left: 1,
    permissions: { priority: 3, control_disabled: false },
  });
  const [user] = (await service.api('GET', `/s/${session.id}/users`)).body;
  t.match(user, { user_id: found.userId, roles: ['chrome_apis', 'control'], permissions: { priority: 3 } });
  await service.api('DELETE', `/v0/vm/${session.id}`);
});

t.test('a session is embedded in an integrator’s page with the service’s SDK', async t => {
  const script = `text.value = 'copied: 漢字 ✓'; onkeydown = () => { text.focus(); document.title = 'takes keys'; };`;
  const session = await startSession(service, script, { max_area: 1280 * 720 });
  const page = await integratorPage(t, browser, PAGE, CLIPBOARD);
  await mount(page, session.url, session.adminToken);
  const read = <T>(what: (session: BrowserSession) => T) => page.evaluate<T>(`(${String(what)})(window.session)`);

  t.equal(await read(session => session.width), 640);
  t.equal(await read(session => session.maxArea), 1280 * 720);

  await page.mouse.click(320, 300);
  await until('the session takes keys', async () => {
    await page.keyboard.press('Shift');
    return (await service.api('POST', `/s/${session.id}/tabs.query`, [{}])).body[0]?.title === 'takes keys';
  });
  for (const key of ['Control+a', 'Control+c']) await page.keyboard.press(key);
  const copied = async () => (await page.evaluate(() => navigator.clipboard.readText())) === 'copied: 漢字 ✓';
  await until('what was copied in the session is on the viewer’s clipboard', copied);
  t.pass('text copied in the session is on the clipboard of a viewer with the admin token');

  await page.evaluate(() => (window as unknown as Embedding).session.resize(800, 600));
  await until('the new size', () => read(session => session.width === 800 && session.height === 600));
  t.pass('the display has the size asked for');
  const tooLarge = page.evaluate(() => (window as unknown as Embedding).session.resize(4000, 4000));
  await t.rejects(tooLarge, /RangeError|must not exceed/);

  await service.api('DELETE', `/v0/vm/${session.id}`);
  const ended = () => page.evaluate(() => (window as unknown as Embedding).ended[0]);
  t.equal(await until('the page is told', ended), 'request');
  const again = mount(page, session.url, session.adminToken);
  await t.rejects(again, /SessionTerminatedError/);
});
