// tags: containers
/** The Node client as it is built, against the service and a real browser. */
import { decode } from 'fast-png';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import type * as Client from '../../../src/client/index.js';
import { containersOf } from '../../fixtures/engines/docker.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

const { BerthClient, BerthError } = (await import(pathToFileURL('dist/client.js').href)) as typeof Client;

t.test('the Node client starts a browser, opens tabs, takes a picture and ends it', async t => {
  const service = await startService(t);
  const berth = new BerthClient({ url: service.url, apiKey: service.apiKey });
  const started = await berth.start({
    width: 640,
    height: 400,
    kiosk: true,
    start_url: 'data:text/html,<title>First</title>',
  });
  t.match(await berth.read(started.session_id), { session_id: started.session_id, termination_date: null });
  const listed: string[] = [];
  for await (const { id } of berth.list()) listed.push(id);
  t.same(listed, [started.session_id]);

  const session = berth.session(started.embed_url, started.admin_token);
  const first = await until('the first page is there', async () =>
    (await session.tabs.query({})).find(({ title }) => title === 'First'),
  );
  const green = 'data:text/html,<title>Second</title><body style="background:rgb(0,200,0)">';
  const second = await session.tabs.create({ url: green });
  await until('the second page is there', async () => (await session.tabs.get(second.id ?? -1)).title === 'Second');
  t.same(
    (await session.tabs.query({ active: true })).map(({ id }) => id),
    [second.id],
  );
  await session.tabs.update(first.id ?? -1, { active: true });
  t.same(
    (await session.tabs.query({ active: true })).map(({ id }) => id),
    [first.id],
  );
  await session.tabs.remove(first.id ?? -1);
  t.same(
    (await session.tabs.query({})).map(({ id }) => id),
    [second.id],
  );
  await t.rejects(session.tabs.get(first.id ?? -1), { name: 'BerthError', status: 400, code: 'tab_error' });

  await until('the second page is shown', async () => {
    const { width, height, channels, data } = decode(await (await session.takeScreenshot()).arrayBuffer());
    const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * channels;
    const [red = 255, greenness = 0, blue = 255] = data.slice(middle, middle + 3);
    return width === 640 && height === 400 && greenness > 150 && red < 60 && blue < 60;
  });
  t.equal((await session.changeTimeouts({ absolute: 600 })).absolute, 600);

  await berth.end(started.session_id);
  t.match(await berth.read(started.session_id), { termination_reason: 'request' });
  const ended = await session.tabs.query({}).catch((error: unknown) => error);
  t.ok(ended instanceof BerthError && ended.code === 'session_ended');
  await until('its container is gone', async () => (await containersOf(service)).length === 0);
});
