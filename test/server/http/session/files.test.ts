import type { RequestListener } from 'node:http';
import t from 'tap';
import { startFakedSession } from '../../../fixtures/services/faked-session.js';
import { serveInProcess } from '../../../fixtures/services/in-process.js';

const service = await serveInProcess(t);
const { session_id } = (await (await service.api('POST', '/v0/vm', {})).json()) as { session_id: string };
const get = (path: string) => service.api('GET', `/s/${session_id}/${path}`);
const post = (path: string, body: string) =>
  fetch(`${service.url}/s/${session_id}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}` },
    body,
  });

/** Has the session's container answer so; returns what it is asked. */
function answers(answer: RequestListener): string[] {
  const asked: string[] = [];
  service.agent.onRequest = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  };
  return asked;
}

t.test('a container cannot make browsers display or run its files', async t => {
  const hostile = {
    'content-type': 'text/html',
    'content-disposition': 'inline; filename="x.html"',
    'content-security-policy': 'default-src *',
    'set-cookie': 'a=b',
    'access-control-allow-credentials': 'true',
  };
  answers((_request, response) => response.writeHead(200, hostile).end('<script>'));
  const answer = await get('downloads/abc');
  const {
    'set-cookie': cookie,
    'access-control-allow-credentials': credentials,
    ...headers
  } = Object.fromEntries(answer.headers);
  t.match(headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
  t.same([cookie, credentials], [undefined, undefined]);
});

t.test('uploads and what acts with them need control that nobody else has taken', async t => {
  const session = await startFakedSession(t, { default_roles: ['control', 'file_upload'] }, service);
  const [viewer, host] = [await session.join(), await session.join()];
  const calls: string[] = [];
  service.agent.onCall = method => {
    calls.push(method);
    return { value: null };
  };
  const asked = answers((request, response) => {
    request.resume();
    response.writeHead(201).end('{"id":"abc"}');
  });
  const { ticket } = await viewer.heard('welcome');
  const upload = async () => {
    const address = `${service.url}/s/${session.id}/uploads/a.txt?ticket=${ticket}`;
    const answer = await fetch(address, { method: 'POST', body: 'x' });
    return ((await answer.json()) as { code?: string }).code ?? answer.status;
  };
  const FILE_CALLS = [['files.choose', ['abc']], ['files.cancel'], ['files.drop', ['abc'], 0.5, 0.5]] as const;
  const codes = () =>
    Promise.all(FILE_CALLS.map(async ([method, ...args]) => (await viewer.call(method, ...args)).error?.code));
  t.same([await upload(), ...(await codes())], [201, undefined, undefined, undefined]);

  const hostId = (await host.heard('welcome')).user_id;
  for (const permissions of [{ control_exclusive: true }, { control_exclusive: false, priority: 1 }]) {
    await session.call('POST', '/setPermissions', [hostId, permissions]);
    calls.length = asked.length = 0;
    t.same([await upload(), ...(await codes())], Array(4).fill('control_taken'), JSON.stringify(permissions));
    t.same([...calls, ...asked], [], 'nothing reached the session');
  }
  t.equal((await host.call('files.drop', ['abc'], 0.5, 0.5)).error, undefined);
  t.equal((await session.call('POST', '/files.drop', [['abc'], 0.5, 0.5])).status, 200, 'integrators always may');
  await session.call('POST', '/setPermissions', [hostId, { priority: 0 }]);
  t.equal(await upload(), 201, 'control is shared again');
});

t.test('a malformed list is reduced to its valid entries', async t => {
  const good = { type: 'download', id: 'a', name: 'a.txt', size: 1 };
  const bad = [null, 7, {}, { ...good, id: '../x' }, { ...good, size: -1 }, { ...good, more: 1 }];
  answers((_request, response) => response.end(JSON.stringify({ downloads: [...bad, good] })));
  t.same(await (await get('downloads')).json(), { downloads: [{ id: 'a', name: 'a.txt', size: 1 }] });
});

const failures: { name: string; answer: RequestListener; status: number; code: string }[] = [
  {
    name: 'that does not speak HTTP',
    answer: request => void request.socket.end('nonsense\r\n\r\n'),
    status: 503,
    code: 'agent_lost',
  },
  {
    name: 'that answers with something else',
    answer: (_, response) => void response.end('<html>'),
    status: 502,
    code: 'agent_failed',
  },
  {
    name: 'that fails',
    answer: (_, response) => void response.writeHead(500).end('{'),
    status: 502,
    code: 'agent_failed',
  },
  {
    name: 'that redirects',
    answer: (_, response) => void response.writeHead(302, { location: 'http://localhost/' }).end(),
    status: 502,
    code: 'agent_failed',
  },
  {
    name: 'that does not stop',
    answer: (_, response) => void response.end(`{"downloads": [${'0,'.repeat(1 << 20)}0]}`),
    status: 502,
    code: 'agent_failed',
  },
  {
    name: 'without room',
    answer: (_, response) => void response.writeHead(507).end('{"code":"no_room"}'),
    status: 507,
    code: 'no_room',
  },
];

for (const { name, answer, status, code } of failures) {
  t.test(`a container ${name} is an error`, async t => {
    answers(answer);
    const response = await get('downloads');
    t.match([response.status, await response.json()], [status, { code }]);
  });
}

t.test('names are encoded on their way to the container', async t => {
  const asked = answers(
    (request, response) => void request.resume().on('end', () => response.writeHead(201).end('{"id":"u1"}')),
  );
  t.equal((await post('uploads/..%2f%3Fa%23b%0d', 'x')).status, 201);
  t.same(asked, ['POST /uploads/..%2F%3Fa%23b%0D']);
});

t.test('a container that names no upload is an error', async t => {
  answers((_request, response) => void response.writeHead(201).end('{"id":"../x"}'));
  t.equal((await post('uploads/a', 'x')).status, 502);
});

t.test('a file that is cut off does not look complete', async t => {
  answers((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => response.destroy(), 20);
  });
  await t.rejects((await get('downloads/abc')).text());
});
