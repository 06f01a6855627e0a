/** What calls to a Kubernetes API server make of its refusals. */
import t from 'tap';
import { ApiServer, engineError } from '../../../src/server/engines/kubernetes/client.js';
import { FakeApiServer } from '../../fixtures/fake-api-server.js';

/** Asks a server that refuses every call; gives the error that a start would report. */
async function refused(t: { teardown(handler: () => unknown): void }, status: number, isReady: boolean) {
  const server = await new FakeApiServer().start(t);
  server.fault = ({ url }, response) => {
    if (url === '/readyz') response.writeHead(isReady ? 200 : 500).end(isReady ? 'ok' : '[-]poststarthook failed');
    else response.writeHead(status).end(JSON.stringify({ message: 'pods is forbidden' }));
    return true;
  };
  const call = { signal: AbortSignal.timeout(5000), body: {} };
  const answer = new ApiServer(server.config).call('POST', '/api/v1/namespaces/berth/pods', call);
  return answer.then(() => null, engineError);
}

t.test('a server that does not know roles and accounts yet, since it has just started, is unavailable', async t => {
  for (const status of [401, 403]) {
    t.match(await refused(t, status, false), {
      kind: 'unavailable',
      message: "The cluster's API server answered: it is starting",
    });
  }
});

t.test('one that is ready refuses what the operator must mend', async t => {
  t.match(await refused(t, 401, true), { kind: 'refused', message: /does not know the service's credentials/ });
  t.match(await refused(t, 403, true), { kind: 'unfit', message: /lacks a right in the cluster: pods is forbidden/ });
});
