import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { unlessAborted } from '../../../src/server/lib/deadline.js';
import { dockerClient, engineError, ping } from '../../../src/server/engines/docker/client.js';
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
