import { gzipSync } from 'node:zlib';
import t from 'tap';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';

const service = await serveInProcess(t, { BERTH_MAX_SESSIONS: '100' });
const session = await startFakedSession(t, {}, service);

/** Sends bytes, which fetch names no type for. */
async function send(path: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string>) {
  const response = await fetch(service.url + path, {
    method: 'POST',
    body: typeof body === 'string' ? Buffer.from(body) : body,
    headers: { authorization: `Bearer ${service.apiKey}`, ...headers },
  });
  const answer: any = await response.json();
  return { status: response.status, body: answer };
}

const type = (name: string) => ({ 'content-type': name });

/** Those of curl, of fetch, of Java, none, and such as are simply wrong. */
const READ = [
  {},
  type(''),
  type('application/json'),
  type('application/x-www-form-urlencoded'),
  type('text/plain;charset=UTF-8'),
  type('text/plain; charset=ISO-8859-1'),
  type('application/json; charset=klingon'),
  type('application/vnd.api+json'),
  type('text/html'),
  type('nonsense'),
];

/** Operations that take JSON: a body, how it is answered, and a body that does not fit. */
const OPERATIONS: [path: string, good: string, status: number, bad: string][] = [
  ['/v0/vm', '{"fps": 30}', 201, '{"fps": 1}'],
  ['/console', '{"type": "nes", "room_url": "https://games.example/x.nes"}', 201, '{"type": "nes"}'],
  ['/v0/android', '{}', 422, '{"colour": 1}'],
  [`/s/${session.id}/timeout`, '{"absolute": 7200}', 200, '{"absolute": -1}'],
  [`/s/${session.id}/tokens`, '{"embed": true}', 200, '{"embed": 1}'],
  [`/s/${session.id}/addRoles`, '[[], ["control"]]', 200, '[]'],
];

t.test('JSON is read whatever its content type says, by every operation that takes it', async t => {
  service.agent.onCall = (method, args) => ({ value: { method, args } });
  for (const [path, good, status, bad] of OPERATIONS) {
    for (const headers of READ) {
      const what = `${path} ${JSON.stringify(headers)}`;
      if (status !== 422) t.equal((await send(path, good, headers)).status, status, what);
      t.match(await send(path, bad, headers), { status: 400, body: { code: 'invalid_body' } }, what);
      t.match(await send(path, '{', headers), { status: 400, body: { code: 'invalid_json' } }, what);
    }
  }
});

t.test('what is multipart or binary is refused where JSON is due', async t => {
  const types = [
    'multipart/mixed; boundary=x',
    'application/octet-stream',
    'Application/ZIP',
    'image/png',
    'audio/mpeg',
    'video/mp4',
  ];
  for (const [path, good] of OPERATIONS) {
    for (const name of types)
      t.match(await send(path, good, type(name)), { status: 415, body: { code: 'unsupported_media_type' } }, name);
  }
  t.match(await send(`/s/${session.id}/timeout`, '{}', type('multipart/form-data; boundary=x')), { status: 415 });
});

t.test('an empty body is a valid start, whatever it is called', async t => {
  for (const body of ['', ' \r\n', '\ufeff']) {
    for (const headers of [{}, type('application/x-www-form-urlencoded'), type('text/plain')])
      t.equal((await send('/v0/vm', body, headers)).status, 201, JSON.stringify([body, headers]));
  }
  t.equal((await send('/v0/vm', '', type('application/octet-stream'))).status, 201, 'there is nothing to be read');
});

t.test('text is decoded by its charset, UTF-8 unless another one is named', async t => {
  const tenant = async (bytes: Buffer<ArrayBuffer>, headers: Record<string, string>) => {
    const { status, body } = await send('/v0/vm/', bytes, headers);
    return [status, body.code, body.details?.[0]?.message];
  };
  const body = (text: string) => `{"tenant_id": "${text}"}`;
  const ok = [201, undefined, undefined];
  t.same(await tenant(Buffer.from(`\ufeff${body('ä')}`), {}), ok, 'with a byte order mark');
  t.same(await tenant(Buffer.from(body('ä'), 'utf16le'), type('application/json; charset="utf-16le"')), ok);
  t.same(await tenant(Buffer.from(body('ä'), 'latin1'), type('text/plain; charset=iso-8859-1')), ok);
  t.same(await tenant(Buffer.from(body('ä'), 'latin1'), type('text/plain')), [400, 'invalid_json', undefined]);
});

t.test('compressed bodies are read, up to the same length', async t => {
  const zipped = (text: string) => gzipSync(text);
  t.equal((await send('/v0/vm', zipped('{}'), { 'content-encoding': 'gzip' })).status, 201);
  const bomb = zipped(`{${' '.repeat(300_000)}}`);
  t.match(await send('/v0/vm', bomb, { 'content-encoding': 'gzip' }), { status: 413 });
  t.match(await send('/v0/vm', '{}', { 'content-encoding': 'gzip' }), { status: 400 });
  t.match(await send('/v0/vm', '{}', { 'content-encoding': 'compress' }), {
    status: 415,
    body: { code: 'unsupported_media_type', message: /gzip/ },
  });
});

t.test('bookmarks are read as text, too', async t => {
  service.agent.onRequest = (request, response) =>
    void request.resume().on('end', () => response.end('{"appended":1}'));
  for (const headers of [{}, type('text/plain'), type('text/html'), type('application/x-www-form-urlencoded')])
    t.equal((await send(`/s/${session.id}/bookmarks`, '<DL>', headers)).status, 200, JSON.stringify(headers));
  t.equal((await send(`/s/${session.id}/bookmarks`, '<DL>', type('application/octet-stream'))).status, 415);
});
