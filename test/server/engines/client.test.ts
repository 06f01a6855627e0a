import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { parseConfig } from '../../../src/server/config/index.js';
import { unlessAborted } from '../../../src/server/lib/deadline.js';
import { dockerClient, engineError, isNetworkMissing, ping } from '../../../src/server/engines/docker/client.js';
import { DockerEngine } from '../../../src/server/engines/docker/index.js';
import { EngineError } from '../../../src/server/engines/engine.js';

t.test(
  'an engine that accepts calls but does not answer is unavailable, and the sentence says what to look at',
  async t => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const docker = dockerClient({
      transport: 'tcp',
      host: '127.0.0.1',
      port,
      text: 'tcp://127.0.0.1',
      tls: null,
      agents: null,
    });
    const calls = [ping(docker, 50), unlessAborted(new Promise<void>(() => {}), AbortSignal.timeout(50))];
    for (const reason of await Promise.all(calls.map(call => call.catch((reason: unknown) => reason)))) {
      const error = engineError(reason);
      t.ok(error instanceof EngineError);
      t.match(error, { failure: 'unavailable', message: /^The container engine did not answer in time; look at/ });
    }
  },
);

t.test('an engine that is down is unavailable; one that answers with an error has refused', async t => {
  const gone = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' });
  t.match(engineError(gone), { failure: 'unavailable', message: 'The container engine cannot be reached (ENOENT).' });
  const no = Object.assign(new Error('HTTP code 500'), { statusCode: 500, json: { message: 'no space left' } });
  t.match(engineError(no), { failure: 'refused', message: 'The container engine answered: no space left' });
});

t.test('whoever aborts a call gets their own reason', async t => {
  const reason = new Error('the session was ended');
  t.equal(engineError(new Error('aborted'), AbortSignal.abort(reason)), reason);
});

t.test('a network that is not there is known by what the engine says', async t => {
  const failed = (statusCode: number | undefined, message: string) =>
    isNetworkMissing(Object.assign(new Error(message), statusCode === undefined ? {} : { statusCode }));
  t.ok(failed(404, '(HTTP code 404) no such container - network berth-sessions not found '));
  t.ok(failed(404, '(HTTP code 404) - failed to set up container networking: network berth-sessions not found'));
  t.notOk(failed(404, '(HTTP code 404) no such image - No such image: berth/chromium:latest'));
  t.notOk(failed(undefined, 'getaddrinfo: network x not found'));
});

t.test('Podman is refused with a sentence before anything is made there', async t => {
  const asked: string[] = [];
  const answers: Record<string, object> = {
    '/version': { Components: [{ Name: 'Podman Engine', Version: '5.4.2' }], ApiVersion: '1.41' },
    '/info': { NCPU: 2, SecurityOptions: ['name=seccomp,profile=default'], Runtimes: {} },
  };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const text = `tcp://127.0.0.1:${port}`;
  const engine = new DockerEngine({
    ...parseConfig({}, '/srv'),
    address: { transport: 'tcp', host: '127.0.0.1', port, text, tls: null, agents: null },
    seccomp: '{}',
    store: null,
    devices: [],
    emulator: parseConfig({}, '/srv').android.emulator,
  });
  await t.rejects(engine.prepare(), { failure: 'unfit', message: /^BERTH_REGIONS leads to Podman, .*\.$/ });
  t.same(asked.sort(), ['GET /info', 'GET /version']);
});
