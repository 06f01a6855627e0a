// tags: containers
/** What people see who open the service's own address, also below a path, and a session's address with a slash. */
import t from 'tap';
import { pathProxy } from '../fixtures/networks/path-proxy.js';
import { sessionPage } from '../fixtures/pages/pixel-page.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

const proxy = await pathProxy(t, '/berth', false);
const service = await startService(t, { BERTH_PUBLIC_URL: proxy.url });
proxy.target = service.url;
const browser = await openBrowser(t);

t.test('the page at the address of the service starts and ends a session', async t => {
  for (const address of [`${service.url}/`, proxy.url]) {
    const context = await browser.newContext();
    t.teardown(() => context.close());
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', message => void (message.type() === 'error' && problems.push(message.text())));
    page.on('pageerror', error => problems.push(String(error)));
    await page.goto(address);
    await page.getByLabel('API key').fill('wrong-key-of-nobody');
    await page.getByRole('button', { name: 'Start a browser' }).click();
    await until('it says that the key is wrong', async () =>
      /not one of the API keys/.test((await page.getByRole('alert').textContent()) ?? ''),
    );
    t.match(problems.splice(0), [/401/], 'the only error');
    await page.getByLabel('API key').fill(service.apiKey);
    await page.getByRole('button', { name: 'Start a browser' }).click();
    const link = page.getByRole('link', { name: 'Open it' });
    await link.waitFor({ timeout: 60_000 });
    t.match(await link.getAttribute('href'), new RegExp(`^${proxy.url}/s/[\\w-]{22}\\?token=`));
    t.equal((await service.api('GET', '/v0/vm')).body.results.length, 1);
    await page.getByRole('button', { name: 'End it' }).click();
    await page
      .getByLabel('API key')
      .waitFor({ timeout: 60_000 })
      .catch(async (error: unknown) => {
        throw new Error(`the page says "${await page.locator('main').innerText()}"`, { cause: error });
      });
    t.same((await service.api('GET', '/v0/vm')).body.results, []);
    t.same(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, '']);
    await page.getByRole('link', { name: 'Documentation' }).click();
    await until('the documentation is there', async () => (await page.title()) === 'Berth API');
    await until('with its styles', () => page.evaluate(() => document.styleSheets.length === 1));
    t.same(problems, []);
  }
});

t.test('a session plays below a path, and with a slash at the end of its address', async t => {
  const start_url = sessionPage('show(42)');
  const { body } = await service.api('POST', '/v0/vm', { start_url, kiosk: true, width: 640, height: 400 });
  const viewer = await ViewerPage.open(browser, (body.embed_url as string).replace('?', '/?'));
  await viewer.shows(42);
  t.pass('it is shown');
  await viewer.close();
  await service.api('DELETE', `/v0/vm/${body.session_id}`);
});
