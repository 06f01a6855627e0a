// tags: containers
import t from 'tap';
import { participantWebhook, say } from '../../fixtures/services/participant-webhook.js';
import { startService } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const service = await startService(t);

/** Starts a session; calls of its address are made with its admin token. */
async function start(options: object) {
  const { status, body } = await service.api('POST', '/v0/vm', options);
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}`);
  const url = new URL(body.embed_url);
  const stream = `ws://${url.host}${url.pathname}/stream${url.search}`;
  return {
    id: body.session_id as string,
    stream,
    join: () => StreamClient.join(stream),
    call: (method: string, path: string, args?: unknown) =>
      service.api(method, url.pathname + path, args, { authorization: `Bearer ${body.admin_token}` }),
  };
}

t.test('a restart of the service preserves who may take part, and for how long', async t => {
  const webhook = await participantWebhook(t);
  const auth = { type: 'webhook', value: { url: webhook.url, bearer: 'the-bearer' } };
  const session = await start({ auth, default_roles: ['control', 'clipboard_copy'], timeout: { absolute: 3600 } });
  const first = await session.join();
  t.equal(webhook.questions.length, 1);
  t.match(await session.call('POST', '/removeRoles', [[], ['control'], true]), { status: 200 });
  await first.heard('access', ({ roles }) => !roles.includes('control'));
  const changed = { absolute: null, inactive: 1800, offline: 3600, warning: 60 };
  t.same((await session.call('POST', '/timeout', { absolute: null, inactive: 1800 })).body, changed);

  await service.kill9();
  await service.restart();
  const second = await until('a viewer is let in', () => session.join().catch(() => null));
  t.match(webhook.questions.at(-1)?.headers, { authorization: 'Bearer the-bearer' });
  t.same(second.all('access')[0]?.roles, ['clipboard_copy'], 'the roles as they were changed');
  t.same((await session.call('POST', '/timeout', { reset: false })).body, changed);
  webhook.answer = ({ response }) => say(response, { authorized: false });
  const third = await StreamClient.connect(session.stream);
  third.tell({ type: 'join' });
  t.equal(await third.closed(), 4401);
  t.notMatch(service.log(), 'the-bearer');
});

t.test('tabs of a real browser can be called, and answer in their own words', async t => {
  const session = await start({ start_url: 'data:text/html,<title>first</title>' });
  const query = (await until(
    'the page',
    async () => {
      const { body } = await session.call('POST', '/tabs.query', [{}]);
      return Array.isArray(body) && body[0]?.title === 'first' && body;
    },
    60_000,
  )) as { id: number }[];
  const created = await session.call('POST', '/tabs.create', [{ url: 'about:blank', active: false }]);
  t.equal(created.status, 200);
  t.match((await session.call('POST', '/tabs.update', [created.body.id, { active: true }])).body, {
    id: created.body.id,
    active: true,
  });
  const viewer = await session.join();
  t.equal(((await viewer.call('tabs.query', {})).value as unknown[]).length, query.length + 1);
  t.match(await session.call('POST', '/tabs.remove', [created.body.id]), { status: 200, body: null });
  await viewer.heard('event', ({ name, args }) => name === 'tabs.onRemoved' && args[0] === created.body.id);
  t.match(await session.call('POST', '/tabs.get', [created.body.id]), {
    status: 400,
    body: { code: 'tab_error', message: /No tab with id/ },
  });
  t.match((await viewer.call('tabs.get', created.body.id)).error, { code: 'tab_error', message: /No tab with id/ });
});

t.test('bookmarks are appended, and screenshots are taken', async t => {
  const session = await start({});
  const html =
    '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="http://a.example/">a</A><DT><A HREF="http://b.example/">b</A></DL>';
  const answer = await until('the browser is there', async () => {
    const { status, body } = await service.api('POST', `/s/${session.id}/bookmarks`, html, {
      'content-type': 'text/html',
    });
    return status === 200 && body;
  });
  t.same(answer, { appended: 2 });
  const picture = await fetch(`${service.url}/s/${session.id}/screenshot?width=320`, {
    headers: { authorization: service.apiKey },
  });
  t.equal(picture.status, 200);
  const bytes = Buffer.from(await picture.arrayBuffer());
  t.equal(bytes.toString('latin1', 1, 4), 'PNG');
  t.equal(bytes.readUInt32BE(16), 320);
  t.equal(bytes.readUInt32BE(20), 180);
});
