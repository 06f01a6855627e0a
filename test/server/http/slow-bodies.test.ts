import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { listen } from '../../../src/server/http/listen.js';
import { extensionZip } from '../../fixtures/extensions/files.js';
import { freePort } from '../../fixtures/networks/free-port.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';

/** The limits of the service, a hundredth to a thousandth of them; milliseconds. */
const LIMITS = { headersMs: 500, stallMs: 500, graceMs: 3000, bytesPerSecond: 1000, checkMs: 50 };
/** Pieces of a slow body, and the pauses between them: three times as long together as one pause may be. */
const PIECES = 10;
const PAUSE_MS = 150;

const service = await serveInProcess(t);
const port = await freePort();
const listening = await listen(
  service.service.app,
  (_request, socket) => socket.destroy(),
  { host: '127.0.0.1', port },
  LIMITS,
);
t.teardown(() => listening.stop(0));
const started = (await (await service.api('POST', '/v0/vm', {})).json()) as { session_id: string };

/** The file that the session's container reads late. */
const HELD = 'held.bin';
service.agent.onRequest = (request, response) => {
  void sleep(request.url?.endsWith(HELD) ? 3 * LIMITS.stallMs : 0).then(() => {
    request.resume().on('end', () => {
      if (request.url === '/extension') response.writeHead(204).end();
      else if (request.url === '/bookmarks') response.end('{"appended":0}');
      else response.writeHead(201).end('{"id":"u1"}');
    });
  });
};

interface Route {
  name: string;
  path: string;
  type: string;
  body: Buffer;
  status: number;
}

const BOUNDARY = 'boundary-of-the-parts';
const part = (name: string, content: Buffer) => [
  Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="x"\r\n\r\n`),
  content,
  Buffer.from('\r\n'),
];
const parts = Buffer.concat([
  ...part('body', Buffer.from('{"extension":{"field":"ext"}}')),
  ...part('ext', extensionZip({ random: crypto.getRandomValues(new Uint8Array(50_000)) })),
  Buffer.from(`--${BOUNDARY}--\r\n`),
]);
const session = `/s/${started.session_id}`;
const jsonType = 'application/json';
const routes: Route[] = [
  {
    name: 'a file',
    path: `${session}/uploads/a.bin`,
    type: 'application/octet-stream',
    body: Buffer.alloc(200_000),
    status: 201,
  },
  { name: 'an extension', path: '/v0/vm', type: `multipart/form-data; boundary=${BOUNDARY}`, body: parts, status: 201 },
  {
    name: 'bookmarks',
    path: `${session}/bookmarks`,
    type: 'text/html',
    body: Buffer.alloc(20_000, '<A>'),
    status: 200,
  },
  {
    name: 'a start',
    path: '/v0/vm',
    type: jsonType,
    body: Buffer.from(`{"tenant_id": "x"${' '.repeat(5000)}}`),
    status: 201,
  },
  {
    name: 'timeouts',
    path: `${session}/timeout`,
    type: jsonType,
    body: Buffer.from('{"absolute": 7200}'),
    status: 200,
  },
];

/** Begins a request; `length`: whether it says how long its body is. */
function begin({ path, type, body }: Route, length: boolean, credential = service.apiKey) {
  const outgoing = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': type,
      ...(length ? { 'content-length': body.length } : {}),
    },
  });
  outgoing.on('error', () => {});
  const answer = once(outgoing, 'response').then(async ([response]: IncomingMessage[]) => ({
    status: response?.statusCode,
    body: response === undefined ? null : await json(response),
  }));
  answer.catch(() => {});
  const closed = once(outgoing, 'close');
  return { outgoing, answer, closed };
}

function* pieces(body: Buffer): Generator<Buffer> {
  const size = Math.ceil(body.length / PIECES);
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

// All of them wait most of the time.
t.jobs = 4;

for (const route of routes) {
  for (const length of [true, false]) {
    const how = `${route.name}, ${length ? 'of a length that is said' : 'in chunks'}`;
    t.test(`a slow body goes on: ${how}`, async t => {
      const { outgoing, answer } = begin(route, length);
      for (const piece of pieces(route.body)) {
        outgoing.write(piece);
        await sleep(PAUSE_MS);
      }
      outgoing.end();
      t.equal((await answer).status, route.status);
    });

    t.test(`a body that stalls is ended: ${how}`, async t => {
      const { outgoing, answer, closed } = begin(route, length);
      const begun = performance.now();
      outgoing.write(route.body.subarray(0, route.body.length / 2));
      t.match(await answer, { status: 408, body: { code: 'body_stalled' } });
      await closed;
      const ms = performance.now() - begun;
      t.ok(ms >= LIMITS.stallMs, `after ${Math.round(ms)} ms`);
    });
  }
}

t.test('a body that stalls is ended', async t => {
  const { outgoing, answer, closed } = begin(routes[0] as Route, true, 'wrong');
  outgoing.write('x');
  t.equal((await answer).status, 401, 'also where it was answered already');
  await closed;
});

t.test('a body that never arrives is ended', async t => {
  const { outgoing, answer } = begin(routes[0] as Route, true);
  outgoing.flushHeaders();
  t.equal((await answer).status, 408);
});

t.test('a body that arrives byte by byte is ended at a deadline', async t => {
  const { outgoing, answer } = begin(routes[0] as Route, true);
  const begun = performance.now();
  const timer = setInterval(() => outgoing.write('x'), 100);
  t.match(await answer, { status: 408, body: { code: 'body_stalled' } });
  clearInterval(timer);
  t.ok(performance.now() - begun >= LIMITS.graceMs);
});

t.test("a container that does not read is not the caller's fault", async t => {
  const body = Buffer.alloc(30 << 20);
  const { outgoing, answer } = begin({ ...(routes[0] as Route), path: `${session}/uploads/${HELD}`, body }, true);
  outgoing.end(body);
  t.equal((await answer).status, 201);
});

t.test('headers that arrive slowly are ended', async t => {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n');
  const begun = performance.now();
  const timer = setInterval(() => socket.write('x-more: y\r\n'), 100);
  await once(socket, 'close');
  clearInterval(timer);
  const ms = performance.now() - begun;
  t.ok(ms < 10 * LIMITS.headersMs, `after ${Math.round(ms)} ms`);
});
