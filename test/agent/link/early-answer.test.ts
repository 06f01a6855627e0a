import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import t, { type Test } from 'tap';
import { bookmarksRoute } from '../../../src/agent/browser/bookmarks/bookmarks-route.js';
import { authorizationOf } from '../../../src/agent/link/authorization.js';
import { serve, type Route } from '../../../src/agent/link/routes.js';
import { ProfileTransfer } from '../../../src/agent/profile/transfer.js';
import { LINK_VERSION } from '../../../src/protocol/link-proof.js';
import { AgentHttp } from '../../../src/server/agent-link/agent-http.js';

const SECRET = 'secret';
const ADDRESS = { host: '127.0.0.1', secret: SECRET, linkVersion: LINK_VERSION };
const TIMES = 5;
const LONG = 20 << 20;
/** What an archive has besides its one file's content. */
const AROUND = 1536;
const log = { warn() {} } as unknown as Parameters<typeof serve>[3];

/** The port of an agent that serves these routes. */
async function agentWith(t: Test, routes: () => readonly Route[]): Promise<number> {
  const authorization = authorizationOf(SECRET, String(LINK_VERSION));
  const server = createServer((request, response) => {
    if (!authorization.answers(request, response)) void serve(routes(), request, response, log);
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A profile whose one file, which no session keeps, is long. */
function wrongProfile(): Readable {
  const archive = pack();
  archive.entry({ name: 'wrong' }, Buffer.alloc(LONG - AROUND));
  archive.finalize();
  return Readable.from(archive, { objectMode: false });
}

function profileRoutes(t: Test): readonly Route[] {
  const transfer = new ProfileTransfer();
  transfer.launched({ content: { folder: t.testdir({}), keeps: () => false }, finish: async () => undefined });
  return transfer.routes;
}

/** Sends everything before it reads anything, as one does who is slow to read. */
async function sendAll(port: number, method: string, path: string, body: Readable): Promise<(string | undefined)[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: agent\r\nconnection: close\r\ncontent-length: ${LONG}\r\n\r\n`);
  await pipeline(body, socket);
  const text = (await buffer(socket)).toString();
  return [/^HTTP\/1\.1 (\d+)/.exec(text)?.[1], /"code":"(\w+)"/.exec(text)?.[1]];
}

t.test('an answer that arrives before the request was fully sent is delivered, every time', async t => {
  const cases = [
    { path: '/profile', method: 'PUT', routes: () => profileRoutes(t), wanted: ['400', 'profile_damaged'] },
    { path: '/bookmarks', method: 'POST', routes: () => [bookmarksRoute({} as never)], wanted: ['413', 'too_large'] },
    { path: '/nothing', method: 'PUT', routes: () => [], wanted: ['404', 'not_found'] },
  ] as const;
  for (const { path, method, routes, wanted } of cases) {
    const port = await agentWith(t, routes);
    const agent = new AgentHttp({ ...ADDRESS, port });
    for (let i = 0; i < TIMES; i++) {
      const got = await sendAll(port, method, path, wrongProfile()).catch((error: NodeJS.ErrnoException) => [
        error.code,
      ]);
      t.same(got, wanted, `${path}, to a slow reader`);
      const answer = await agent.send({ method, path, body: wrongProfile() });
      t.same(
        [`${answer.statusCode}`, ((await json(answer)) as { code: string }).code],
        wanted,
        `${path}, to the service`,
      );
    }
  }
});

t.test("an upload's own failure is reported, not its effect on the connection", async t => {
  const rom: Route = {
    method: 'PUT',
    path: '/rom',
    handle: async ({ request }) => void (await once(request.resume(), 'end')),
  };
  const agent = new AgentHttp({ ...ADDRESS, port: await agentWith(t, () => [rom]) });
  for (let i = 0; i < 20; i++) {
    const body = Readable.from(
      (async function* () {
        yield Buffer.alloc(1 << 16);
        throw new Error('it is damaged');
      })(),
    );
    await t.rejects(agent.send({ method: 'PUT', path: '/rom', body }), { message: 'it is damaged' });
  }
});
