// tags: containers
/** What holds of every session holds of consoles, too. */
import t from 'tap';
import { encodePad, PadButton } from '../../../src/protocol/pad.js';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { containersOf } from '../../fixtures/engines/docker.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { participantWebhook, say } from '../../fixtures/services/participant-webhook.js';
import { webhookReceiver } from '../../fixtures/services/webhook-receiver.js';
import { startService } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const origin = await serveCards(t);
const fields = { type: 'nes', room_url: `${origin}/card.nes`, width: 640, height: 400 };
const streamOf = ({ embedUrl }: ConsoleSession) => embedUrl.replace(/^http/, 'ws').replace('?', '/stream?');
const idOf = async (viewer: StreamClient) => (await viewer.heard('welcome')).user_id;
const press = (viewer: StreamClient, player: number, id: number, down: boolean) =>
  viewer.send(encodePad({ type: 'pad', player, control: 'button', id, down }));

t.test('a console with a participant webhook, where nobody plays by default', async t => {
  const webhook = await participantWebhook(t);
  webhook.answer = ({ body, response }) =>
    say(response, {
      authorized: body.userdata['name'] !== 'stranger',
      permissions: { control_disabled: body.userdata['name'] !== 'player' },
    });
  const session = await ConsoleSession.start(service, {
    ...fields,
    tag: 'living room',
    tenant_id: 'family',
    control_disable_default: true,
    default_roles: ['control', 'chrome_apis', 'file_upload', 'file_download'],
    auth: { type: 'webhook', value: { url: webhook.url } },
  });
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    service.api(method, `/s/${session.id}${path}`, body, headers);
  const join = (name: string) => StreamClient.join(streamOf(session), { userdata: { name } });
  const player = await join('player');
  const watcher = await join('watcher');
  t.teardown(() => [player, watcher].forEach(client => client.leave()));
  await session.shows('blue');

  await t.test('a start with its tag returns the running session', async t => {
    const again = await service.api('POST', '/v0/console', { ...fields, tag: 'living room' });
    t.match(again, { status: 200, body: { session_id: session.id, embed_url: session.embedUrl } });
    t.equal((await containersOf(service)).length, 1);
  });

  await t.test('it is listed, read, and counted for its tenant', async t => {
    t.match((await service.api('GET', '/v0/vm')).body.results, [{ id: session.id }]);
    t.match((await service.api('GET', `/v0/vm/${session.id}`)).body, {
      session_id: session.id,
      termination_date: null,
    });
    const seconds = async (tenant: string) =>
      (await service.api('GET', `/v0/vm/usage?tenant_id=${tenant}`)).body.usage[0]?.seconds ?? 0;
    await until('seconds of use', async () => (await seconds('family')) > 0);
    t.equal(await seconds('others'), 0);
  });

  await t.test('the webhook decides who joins, and who plays', async t => {
    const stranger = await StreamClient.connect(streamOf(session));
    const closed = stranger.closed();
    stranger.tell({ type: 'join', userdata: { name: 'stranger' } });
    t.equal(await closed, 4401);
    t.match(watcher.all('seats').at(-1)?.seats, [
      { player: 1, user_id: await idOf(player) },
      { player: 2, user_id: null },
    ]);
    press(player, 0, PadButton.a, true);
    await session.shows('red');
    press(player, 0, PadButton.a, false);
    await session.shows('blue');
  });

  await t.test('without control there is no seat, no pad and no call', async t => {
    for (const [method, ...args] of [
      ['takeSeat'],
      ['console.reset'],
      ['console.saveState', 0],
      ['console.loadState', 0],
      ['console.pause', true],
      ['console.fastForward', true],
    ] as const) {
      t.match(
        await watcher.call(method, ...args),
        { error: { code: 'role_required', message: 'Playing needs the role control.' } },
        method,
      );
    }
    t.match(await call('POST', '/seats', [1, await idOf(watcher)]), { status: 403, body: { code: 'role_required' } });
    press(watcher, 0, PadButton.a, true);
    press(player, 0, PadButton.b, true);
    await session.shows('green');
    press(player, 0, PadButton.b, false);
    await session.shows('blue');
    t.equal((await call('POST', '/setPermissions', [await idOf(watcher), { control_disabled: false }])).status, 200);
    t.match(await watcher.call('takeSeat'), { value: { 1: { user_id: await idOf(watcher) } } });
    press(watcher, 1, PadButton.a, true);
    await session.shows('magenta');
    t.equal((await call('POST', '/setPermissions', [await idOf(watcher), { control_disabled: true }])).status, 200);
    await session.shows('blue');
  });

  await t.test('calls that only browsers have are refused with a reason', async t => {
    const noBrowser = { status: 409, body: { code: 'not_a_browser', message: 'This session is not a browser.' } };
    t.match(await call('POST', '/tabs.create', [{ url: 'about:blank' }]), noBrowser);
    t.match(await call('POST', '/files.choose', [['id']]), noBrowser);
    const noFiles = { status: 409, body: { code: 'not_a_browser', message: 'This session does not accept files.' } };
    t.match(await call('POST', '/uploads/a.txt', 'text', { 'content-type': 'application/octet-stream' }), noFiles);
    t.match(await call('GET', '/downloads'), noBrowser);
    t.match(await call('POST', '/bookmarks', '<DL></DL>', { 'content-type': 'text/html' }), noBrowser);
    t.match(await player.call('tabs.query', {}), { error: { code: 'not_a_browser' } });
    t.match(await player.call('files.choose', ['id']), { error: { code: 'not_a_browser' } });
    for (const field of [
      'draw',
      'adblock',
      'ublock',
      'extension',
      'start_url',
      'http_proxy',
      'touch_gestures',
      'locale',
    ]) {
      t.match(
        await service.api('POST', '/console', { ...fields, [field]: true }),
        { status: 400, body: { details: [{ path: `/${field}` }] } },
        field,
      );
    }
    t.match(
      await service.api(
        'POST',
        '/console',
        { ...fields, draw: true, tag: 'living room' },
        { prefer: 'handling=lenient' },
      ),
      { status: 200 },
    );
  });

  await t.test('it ends on request, and its players are notified', async t => {
    const closed = player.closed();
    await session.end();
    t.equal((await player.heard('end')).reason, 'request');
    t.equal(await closed, 4000);
    t.match(await call('POST', '/console.reset', []), { status: 409, body: { code: 'session_ended' } });
    t.match(await session.ended(), { termination_reason: 'request' });
  });
});

t.test('an active pad keeps its session alive, an idle one does not', async t => {
  const { received, url } = await webhookReceiver(t, 200);
  const session = await ConsoleSession.start(service, {
    ...fields,
    timeout: { inactive: 5, warning: 2, webhook: { url } },
  });
  const viewer = await session.join();
  const begun = Date.now();
  // As long as it is pressed now and then, however long that is.
  for (let down = true; Date.now() < begun + 8000; down = !down) {
    press(viewer, 0, PadButton.a, down);
    await new Promise(resolve => setTimeout(resolve, 250));
  }
  t.same(viewer.all('end'), []);
  const warning = await viewer.heard('warning', ({ timeout }) => timeout === 'inactive');
  t.ok((warning.delay_ms ?? 0) <= 2000);
  t.match(await session.ended(), { termination_reason: 'inactive' });
  await until('the webhook is told', () => received.some(({ body }) => JSON.parse(body).event === 'timeout'));
  await until('its container is gone', async () => (await containersOf(service)).length === 0);
});
