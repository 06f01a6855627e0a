/** Requests to addresses that others chose, with real servers on loopback, and names that mean what a test says. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import t, { type Test } from 'tap';
import { EngineError, type EngineAddresses } from '../../../src/server/engines/engine.js';
import type { Outbound } from '../../../src/server/outbound/outbound.js';
import { nameServer } from '../../fixtures/networks/name-server.js';
import { fakeNames, openOutbound } from '../../fixtures/services/outbound.js';

const METADATA = '169.254.169.254';

async function serve(t: Test, listener: RequestListener = (_, response) => response.end('ok')) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  return { port: (server.address() as AddressInfo).port, asked };
}

/** Posts, and gives the status. */
async function post(outbound: Outbound, url: string, { allowPrivate = true, signal = AbortSignal.timeout(5000) } = {}) {
  const answer = await outbound.request(new URL(url), {
    method: 'POST',
    headers: {},
    body: '{}',
    allowPrivate,
    signal,
  });
  answer.resume();
  return answer.statusCode;
}

const refused = (reason: string) => ({ name: 'AddressRefused', reason });
const engine = (addresses: () => Promise<Partial<EngineAddresses>>) => ({
  addresses: async () => ({ networks: [], hosts: [], ...(await addresses()) }),
});

t.test('special addresses are refused in every notation', async t => {
  const outbound = openOutbound();
  for (const host of [
    METADATA,
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '169.254.43518',
    `[::ffff:${METADATA}]`,
    `[64:ff9b::${METADATA}]`,
    '[2002:a9fe:a9fe::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '168.63.129.16',
    '0',
    '0.0.0.0',
    '[::]',
  ]) {
    t.equal(await outbound.refusal(`http://${host}/`, true), 'special', host);
    await t.rejects(post(outbound, `http://${host}/`), refused('special'), host);
  }
});

t.test('a name is resolved once, and the connection goes to that address', async t => {
  const server = await serve(t);
  const { asked, resolve } = fakeNames({ 'backend.example': [['127.0.0.1'], [METADATA]] });
  const outbound = openOutbound({ resolve });
  t.equal(await post(outbound, `http://backend.example:${server.port}/hook`), 200);
  t.same(asked, ['backend.example']);
  t.same(server.asked, [`backend.example:${server.port}/hook`]);
  await t.rejects(
    post(outbound, `http://backend.example:${server.port}/hook`),
    refused('special'),
    'it means something else now',
  );
  t.equal(server.asked.length, 1);
});

t.test('one forbidden address of several refuses a name', async t => {
  const server = await serve(t);
  const { resolve } = fakeNames({
    'mixed.example': [['127.0.0.1', METADATA]],
    'mapped.example': [[`::ffff:${METADATA}`]],
  });
  const outbound = openOutbound({ resolve });
  await t.rejects(post(outbound, `http://mixed.example:${server.port}/`), refused('special'));
  await t.rejects(post(outbound, `http://mapped.example:${server.port}/`), refused('special'));
  t.same(server.asked, []);
});

t.test('private networks and this machine are allowed or refused as configured', async t => {
  const server = await serve(t);
  const { resolve } = fakeNames({ 'inside.example': [['127.0.0.1']], 'public.example': [['8.8.8.8', '10.0.0.1']] });
  const outbound = openOutbound({ resolve });
  t.equal(await post(outbound, `http://127.0.0.1:${server.port}/`), 200);
  t.equal(await post(outbound, `http://inside.example:${server.port}/`), 200);
  for (const host of ['127.0.0.1', 'inside.example', 'public.example', '[::ffff:10.0.0.1]', '192.168.1.1'])
    await t.rejects(
      post(outbound, `http://${host}:${server.port}/`, { allowPrivate: false }),
      refused('private'),
      host,
    );
  t.equal(await outbound.refusal('http://8.8.8.8/', false), null);
  t.equal(server.asked.length, 2);
});

t.test('no redirect is followed', async t => {
  const server = await serve(t, (_, response) => response.writeHead(307, { location: '/elsewhere' }).end());
  t.equal(await post(openOutbound(), `http://127.0.0.1:${server.port}/hook`), 307);
  t.same(server.asked, [`127.0.0.1:${server.port}/hook`]);
});

t.test('the service itself is refused at each address of this machine, other ports are not', async t => {
  const server = await serve(t);
  const outbound = openOutbound({ port: server.port, ...fakeNames({ 'self.example': [['127.0.0.1']] }) });
  const own = Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .find(({ family }) => family === 'IPv4')?.address;
  for (const host of ['127.0.0.1', '127.1.2.3', 'self.example', own ?? ''])
    await t.rejects(post(outbound, `http://${host}:${server.port}/`), refused('service'), host);
  t.equal(await outbound.refusal(`http://127.0.0.1:${server.port + 1}/`, true), null);
  t.same(server.asked, []);
});

t.test('engines and the networks of sessions are refused', async t => {
  const server = await serve(t);
  const { resolve } = fakeNames({ 'docker.example': [['10.0.0.7', '8.8.4.4']], 'innocent.example': [['10.0.0.7']] });
  const remote = engine(async () => ({ hosts: [{ host: 'docker.example', port: null }] }));
  const here = engine(async () => ({ networks: ['172.30.0.0/16'], hosts: [{ host: '127.0.0.1', port: server.port }] }));
  const outbound = openOutbound({ engines: [remote, here], resolve });
  for (const host of [
    '10.0.0.7:2375',
    '10.0.0.7',
    '8.8.4.4:49153',
    'innocent.example:8080',
    `127.0.0.1:${server.port}`,
  ])
    await t.rejects(post(outbound, `http://${host}/`), refused('engine'), host);
  for (const host of ['172.30.0.2:7000', '172.30.255.1', '[::ffff:172.30.0.2]:7000'])
    await t.rejects(post(outbound, `http://${host}/`), refused('session'), host);
  for (const host of ['10.0.0.8', '172.31.0.1', `127.0.0.1:${server.port + 1}`])
    t.equal(await outbound.refusal(`http://${host}/`, true), null, host);
});

t.test(
  'until an engine has told its networks private addresses are refused; what it told holds when it is gone',
  async t => {
    const server = await serve(t);
    let there = false;
    const away = engine(async () => {
      if (!there) throw new EngineError('unavailable', 'away');
      return { networks: ['172.30.0.0/16'] };
    });
    const outbound = openOutbound({ engines: [away, engine(async () => ({}))] });
    await t.rejects(post(outbound, `http://127.0.0.1:${server.port}/`), refused('unknown'));
    t.equal(await outbound.refusal('http://8.8.8.8/', true), null, "public addresses are nobody's container");
    there = true;
    t.equal(await post(outbound, `http://127.0.0.1:${server.port}/`), 200);
    there = false;
    t.equal(await post(outbound, `http://127.0.0.1:${server.port}/`), 200);
    t.equal(await outbound.refusal('http://172.30.0.2/', true), 'session');
  },
);

t.test('a signal aborts a request in every phase', async t => {
  const never = new Promise<never>(() => {});
  const silent = await serve(t, () => {});
  const waiting = {
    'the engine': () =>
      post(openOutbound({ engines: [{ addresses: () => never }] }), `http://127.0.0.1:${silent.port}/`, {
        signal: AbortSignal.timeout(50),
      }),
    'the name': () =>
      post(openOutbound({ resolve: () => never }), 'http://slow.example/', { signal: AbortSignal.timeout(50) }),
    'the server': () => post(openOutbound(), `http://127.0.0.1:${silent.port}/`, { signal: AbortSignal.timeout(50) }),
  };
  for (const [what, call] of Object.entries(waiting)) await t.rejects(call(), { name: 'TimeoutError' }, what);
});

t.test('names whose server does not answer do not delay requests to others', async t => {
  const server = await serve(t);
  const names = await nameServer(t, { 'silent.example': 'silent', 'good.example': ['127.0.0.1'] });
  const outbound = openOutbound({ nameServers: [names.address] });
  let ended = 0;
  const lost = Array.from({ length: 16 }, () =>
    post(outbound, 'http://silent.example/')
      .catch((error: unknown) => (error as NodeJS.ErrnoException).code)
      .finally(() => ended++),
  );
  t.equal(await post(outbound, `http://good.example:${server.port}/`), 200);
  t.equal(ended, 0);
  t.same(new Set(await Promise.all(lost)), new Set(['ETIMEOUT']));
  t.equal(names.asked.filter(name => name === 'silent.example').length, 4, 'once, twice tried for each family');
});

t.test('the names of one do not count towards the limits of another that was separated from it', async t => {
  const server = await serve(t);
  const names = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`a${i}.example.test`, 'silent' as const]));
  const { address } = await nameServer(t, { ...names, 'good.example.test': ['127.0.0.1'] });
  const outbound = openOutbound({ nameServers: [address] });
  let ended = 0;
  const lost = Object.keys(names).map(name =>
    post(outbound, `http://${name}/`)
      .catch(() => null)
      .finally(() => ended++),
  );
  t.equal(await post(outbound.separate(), `http://good.example.test:${server.port}/`), 200);
  t.equal(ended, 0);
  await Promise.all(lost);
});

t.test('an engine that does not answer any more delays no request by more than a second', async t => {
  const server = await serve(t);
  const never = new Promise<never>(() => {});
  let there = true;
  const hanging = { addresses: () => (there ? Promise.resolve({ networks: ['172.30.0.0/16'], hosts: [] }) : never) };
  const outbound = openOutbound({ engines: [hanging] });
  t.equal(await post(outbound, `http://127.0.0.1:${server.port}/`), 200);
  there = false;
  const realNow = performance.now.bind(performance);
  t.teardown(() => (performance.now = realNow));
  performance.now = () => realNow() + 6000;
  t.equal(await post(outbound, `http://127.0.0.1:${server.port}/`), 200);
  t.equal(await outbound.refusal('http://172.30.0.2/', true), 'session', 'what it told holds');
});
