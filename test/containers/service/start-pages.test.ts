// tags: containers
/** Chromium's own pages as start pages, in every form of their addresses, and in tabs. */
import t, { type Test } from 'tap';
import { metric, startService, type Service } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

/** What is asked for, and what the tab then has. */
const PAGES = {
  'about:version': 'chrome://version/',
  'about:gpu': 'chrome://gpu/',
  'about:newtab': 'chrome://newtab/',
  'CHROME://version': 'chrome://version/',
  'about:blank': 'about:blank',
};

/** Calls a method of the session's tabs once its browser is there. */
const call = (service: Service, id: string, method: string, ...args: unknown[]) =>
  until(`${method} is answered`, async () => {
    const { status, body } = await service.api('POST', `/s/${id}/tabs.${method}`, args);
    return status === 200 && { value: body };
  });

async function opensEach(t: Test, service: Service, ready: () => Promise<unknown>): Promise<void> {
  for (const [asked, shown] of Object.entries(PAGES)) {
    await ready();
    const { status, body } = await service.api('POST', '/v0/vm', { start_url: asked });
    t.equal(status, 201, asked);
    const id = body.session_id as string;
    const urls = async () => ((await call(service, id, 'query', {})).value as { url: string }[]).map(({ url }) => url);
    await until(`${asked} is ${shown}`, async () => (await urls()).join() === shown);
    t.pass(`${asked} is ${shown}`);
    if (asked === 'about:version') await tabsOpenThemToo(t, service, id, urls);
    await service.api('DELETE', `/v0/vm/${id}`);
  }
}

async function tabsOpenThemToo(t: Test, service: Service, id: string, urls: () => Promise<string[]>): Promise<void> {
  const { value } = await call(service, id, 'create', { url: 'about:gpu' });
  await until('a new tab has it', async () => (await urls()).join() === 'chrome://version/,chrome://gpu/');
  await call(service, id, 'update', (value as { id: number }).id, { url: 'CHROME://version' });
  await until('the tab has another', async () => (await urls()).join() === 'chrome://version/,chrome://version/');
  t.pass('tabs take the same forms');
}

t.test("each form of Chromium's own pages is the start page of a browser that is started for it", async t => {
  const service = await startService(t);
  await opensEach(t, service, async () => undefined);
  for (const start_url of ['view-source:https://example.com', 'about:///']) {
    const { status, body } = await service.api('POST', '/v0/vm', { start_url });
    t.match([status, body.details], [400, [{ path: '/start_url' }]], start_url);
  }
});

t.test('and of one that was prepared', async t => {
  const service = await startService(t, { BERTH_WARM_POOL: '' });
  const isWarm = async () => metric((await service.api('GET', '/metrics')).body, 'berth_warm_containers') === 1;
  await opensEach(t, service, () => until('one waits', isWarm));
});
