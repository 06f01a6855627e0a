import t, { type Test } from 'tap';
import type { ContainerRequest } from '../../../src/server/engines/index.js';
import { serveInProcess } from '../../fixtures/in-process.js';

/** What the containers of starts with these bodies were asked to prepare. */
async function preparations(t: Test, env: Record<string, string>, ...bodies: object[]) {
  const { api, engine } = await serveInProcess(t, env);
  const requests: ContainerRequest[] = [];
  engine.asked = request => void requests.push(request);
  for (const body of bodies) t.equal((await api('POST', '/v0/vm', body)).status, 201);
  return requests.map(({ preparation }) => preparation);
}

t.test('a container that a session does not find waiting starts the browser of that session at once', async t => {
  for (const browser of ['true', 'false']) {
    const [prepared] = await preparations(
      t,
      { BERTH_WARM_POOL: '0', BERTH_WARM_BROWSER: browser },
      { start_url: 'https://secret.example/?key=1', width: 900, height: 500, dark: true, locale: { language: 'de' } },
    );
    t.match(prepared, {
      display: { width: 900, height: 500 },
      chromium: { start_url: 'about:blank', dark: true, locale: { language: 'de' } },
    });
    t.notMatch(JSON.stringify(prepared), /secret|key/, 'it is not told the page');
  }
});

t.test('unless that needs what comes with the launch', async t => {
  const proxy = { pac: 'https://a.example/pac', username: 'me', password: 'secret' };
  const bodies = [{ user_agent: 'chrome_android' }, { http_proxy: proxy }, { start_url: 'chrome://version' }];
  t.same(await preparations(t, { BERTH_WARM_POOL: '0' }, ...bodies), [undefined, undefined, undefined]);
});
