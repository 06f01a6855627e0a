// tags: containers
import { decode } from 'fast-png';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { encodePad, PadButton } from '../../../src/protocol/pad.js';
import { containersOf } from '../../fixtures/engines/docker.js';
import { colourOf, type Colour } from '../../fixtures/consoles/hue.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { startService, type Answer, type Service } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const folder = await testCards(t);
const card = await readFile(`${folder}/card.nes`);

/** Serves the test card, and what is no game. */
async function serveGames(t: Test) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['if-none-match'] ?? ''}`.trim());
    if (request.url === '/card.nes') {
      if (request.headers['if-none-match'] === '"card"') return response.writeHead(304).end();
      return response.writeHead(200, { etag: '"card"' }).end(card);
    }
    if (request.url === '/page') return response.end('<html>not a game</html>');
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const streamOf = ({ body }: Answer) => body.embed_url.replace(/^http/, 'ws').replace('?', '/stream?');

/** What can be done with a session from outside. */
function handsOn(service: Service, started: Answer) {
  const at = (path: string) => `/s/${started.body.session_id}${path}`;
  const colour = async () => {
    const headers = { authorization: `Bearer ${started.body.admin_token}` };
    const answer = await fetch(service.url + at('/screenshot?width=64'), { headers });
    if (!answer.ok) return null;
    const { data, width, height } = decode(new Uint8Array(await answer.arrayBuffer()));
    const middle = ((height >> 1) * width + (width >> 1)) * 3;
    return colourOf([...data.slice(middle, middle + 3)]);
  };
  return {
    call: (method: string, args: unknown[] = []) => service.api('POST', at(`/${method}`), args),
    shows: (wanted: Colour, ms = 60_000) =>
      until(`the picture is ${wanted}`, async () => (await colour()) === wanted, ms),
  };
}

const press = (client: StreamClient, player: number, id: number, down: boolean) =>
  client.send(encodePad({ type: 'pad', player, control: 'button', id, down }));

t.test('consoles', async t => {
  const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
  const { origin, asked } = await serveGames(t);
  const start = (body: object) =>
    service.api('POST', '/console', { type: 'nes', room_url: `${origin}/card.nes`, ...body });

  await t.test('two people play one game over one link', async t => {
    const started = await start({});
    t.equal(started.status, 201);
    const { shows, call } = handsOn(service, started);
    const one = await StreamClient.join(streamOf(started));
    const two = await StreamClient.join(streamOf(started));
    t.teardown(() => [one, two].forEach(client => client.leave()));
    await shows('blue');
    const [first, second] = [one, two].map(client => client.all('welcome')[0]?.user_id);
    t.equal(one.all('welcome')[0]?.kind, 'nes');

    await t.test('the first viewer is player 1, the second takes a seat', async t => {
      await one.heard('seats', ({ seats }) => seats[0]?.user_id === first);
      const { value } = await two.call('takeSeat');
      t.match(value, [
        { player: 1, user_id: first },
        { player: 2, user_id: second },
      ]);
      t.match((await two.call('takeSeat', 1)).error, { code: 'seat_taken' });
    });

    await t.test('each player controls only their own pad', async () => {
      press(one, 0, PadButton.a, true);
      await shows('red');
      press(one, 0, PadButton.a, false);
      press(two, 0, PadButton.b, true);
      press(two, 1, PadButton.a, true);
      await shows('magenta');
    });

    await t.test('what was held is released when the seat is left', async () => {
      await two.call('leaveSeat');
      await shows('blue');
    });

    await t.test('the integrator saves, loads, resets and assigns seats', async t => {
      press(one, 0, PadButton.start, true);
      await shows('white');
      press(one, 0, PadButton.start, false);
      t.match(await call('console.saveState', [1]), { status: 200, body: {} });
      t.equal((await call('console.reset')).status, 200);
      await shows('blue');
      t.equal((await call('console.loadState', [1])).status, 200);
      await shows('white');
      t.match(await call('console.loadState', [2]), { status: 409, body: { code: 'slot_empty' } });
      t.match(await call('console.saveState', [10]), { status: 400, body: { code: 'invalid_body' } });
      t.match(await call('seats', [1, second]), { status: 200, body: [{ player: 1, user_id: second }] });
      t.match(await call('seats', [1, 'nobody']), { status: 404, body: { code: 'user_not_found' } });
      t.match(await call('takeSeat'), { status: 404, body: { code: 'not_found' } });
      t.match(await call('tabs.query', [{}]), { status: 409, body: { code: 'not_a_browser' } });
    });

    await t.test('it is listed, read and ended like any session', async t => {
      const { session_id: id } = started.body;
      t.match((await service.api('GET', '/v0/vm')).body.results, [{ id }]);
      t.match(await service.api('DELETE', `/v0/vm/${id}`), { status: 200, body: { session_id: id } });
      t.match((await service.api('GET', `/v0/vm/${id}`)).body, { termination_reason: 'request' });
      t.same(await containersOf(service), []);
    });
  });

  await t.test('a game is requested again only to revalidate it', async t => {
    asked.length = 0;
    const started = await start({ rom_url: `${origin}/card.nes` });
    await handsOn(service, started).shows('blue');
    t.same(asked, ['/card.nes "card"']);
    await service.api('DELETE', `/v0/vm/${started.body.session_id}`);
  });

  await t.test('a game continues when the service is killed', async () => {
    const started = await service.api('POST', '/v0/console', { type: 'nes', rom_url: `${origin}/card.nes` });
    const { shows } = handsOn(service, started);
    await shows('blue');
    await service.kill9();
    await service.restart();
    await shows('blue');
    const client = await StreamClient.join(streamOf(started));
    press(client, 0, PadButton.b, true);
    await shows('green');
    client.leave();
    await service.api('DELETE', `/v0/vm/${started.body.session_id}`);
  });

  await t.test('an unplayable game ends its session with the reason', async t => {
    for (const [room_url, message] of [
      [`${origin}/page`, /not a game for the nes/],
      [`${origin}/nothing`, /answered 404/],
    ] as const) {
      const started = await start({ room_url });
      const record = await until('the session has ended', async () => {
        const { body } = await service.api('GET', `/v0/vm/${started.body.session_id}`);
        return body.termination_date !== null && body;
      });
      t.equal(record.termination_reason, 'failed');
      t.match(record.termination_message, message);
    }
    await until('their containers are gone', async () => (await containersOf(service)).length === 0);
  });

  await t.test('invalid requests are refused with the field named', async t => {
    const refused = async (body: object, status: number, path: string) => {
      const answer = await service.api('POST', '/console', body);
      t.match(answer, { status, body: { details: [{ path }] } }, path);
    };
    await refused({ room_url: origin }, 400, '/type');
    await refused({ type: 'nes' }, 400, '/room_url');
    await refused({ type: 'gameboy', room_url: origin }, 400, '/type');
    await refused({ type: 'nes', room_url: 'file:///etc/passwd' }, 400, '/room_url');
    await refused({ type: 'nes', room_url: origin, rom_url: `${origin}/other` }, 400, '/rom_url');
    await refused({ type: 'nes', room_url: origin, kiosk: true }, 400, '/kiosk');
    t.equal((await service.api('POST', '/console', {}, { authorization: 'Bearer wrong' })).status, 401);
  });
});

t.test('games in private networks are refused unless they are allowed', async t => {
  const service = await startService(t);
  const answer = await service.api('POST', '/console', { type: 'nes', rom_url: 'http://192.168.1.1/card.nes' });
  t.match(answer, {
    status: 422,
    body: { code: 'rom_refused', details: [{ path: '/rom_url', message: /private network/ }] },
  });
});
