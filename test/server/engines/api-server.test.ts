/** What calls to a Kubernetes API server make of its refusals. */
import t from 'tap';
import { ApiServer, engineError } from '../../../src/server/engines/kubernetes/client.js';
import { FakeApiServer } from '../../fixtures/kubernetes/fake-api-server.js';

/** A server, and what a start there fails by. */
async function starts(t: { teardown(handler: () => unknown): void }) {
  const server = await new FakeApiServer().start(t);
  const api = new ApiServer(server.config);
  const failure = () =>
    api
      .call('POST', '/api/v1/namespaces/berth/pods', { signal: AbortSignal.timeout(5000), body: {} })
      .then(() => null, engineError);
  return { server, failure };
}

/** Refuses everything with this status. */
const refusing =
  (status: number, message = 'pods is forbidden'): FakeApiServer['fault'] =>
  (_, response) => {
    response.writeHead(status).end(JSON.stringify({ message }));
    return true;
  };

t.test('a server that comes back does not know roles and accounts yet: until then it is unavailable', async t => {
  const { server, failure } = await starts(t);
  server.fault = (_, response) => {
    response.destroy();
    return true;
  };
  t.match(await failure(), { failure: 'unavailable', message: /cannot be reached/ });
  for (const status of [401, 403]) {
    server.fault = refusing(status);
    t.match(await failure(), { failure: 'unavailable', message: /it may be starting: pods is forbidden$/ });
  }
  server.fault = undefined;
  t.equal(await failure(), null);
});

t.test('one that was there all the time refuses what the operator must mend', async t => {
  const { server, failure } = await starts(t);
  server.fault = refusing(401);
  t.match(await failure(), { failure: 'refused', message: /does not know the service's credentials/ });
  server.fault = refusing(403);
  t.match(await failure(), { failure: 'unfit', message: /lacks a right in the cluster: pods is forbidden/ });
});

t.test('what it does not admit is said in its words, and not taken for a missing right', async t => {
  const { server, failure } = await starts(t);
  for (const message of [
    'pods "berth-1" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi',
    'pods "berth-1" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
    'admission webhook "images.example.com" denied the request: no signature',
  ]) {
    server.fault = refusing(403, message);
    t.match(await failure(), { failure: 'unfit', message: `The cluster does not admit it: ${message}.` });
  }
  const account = 'User "system:serviceaccount:berth:berth" cannot create resource "pods" in API group ""';
  for (const what of ['pods', 'pods "berth-1"']) {
    server.fault = refusing(403, `${what} is forbidden: ${account}`);
    t.match(await failure(), { failure: 'unfit', message: /lacks a right in the cluster/ });
  }
});
