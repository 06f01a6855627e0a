/** Agents of Pods are asked for their addresses, which their nodes are late to say. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { EarlyAddresses } from '../../../src/server/engines/kubernetes/early-address.js';
import { freePort } from '../../fixtures/free-port.js';
import { until } from '../../fixtures/until.js';

const never = new AbortController().signal;
const proof = 'p'.repeat(43);

/** An agent that listens at a port where a forward leads. */
async function agent(t: Test, answer: RequestListener, port = 0): Promise<number> {
  const server = createServer(answer);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const says =
  (body: object): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify(body));

const hello = (address?: string) => ({ version: 2, nonce: proof, proof, ...(address && { address }) });

/** Forwards that all lead to one port, and which of them are open. */
function forwards(port: number) {
  const open = new Set<string>();
  const port_ = (pod: string) => {
    open.add(pod);
    return Promise.resolve(port);
  };
  return { open, port: port_, close: (pod: string) => void open.delete(pod) };
}

t.test('an agent is asked until it listens, and its forward is closed then', async t => {
  const port = await freePort();
  const { open, ...ways } = forwards(port);
  const asked = new EarlyAddresses(ways).of('pod', never);
  await until('the Pod is asked', () => open.has('pod'));
  await agent(t, says(hello('10.244.0.7')), port);
  t.equal(await asked, '10.244.0.7');
  t.equal(open.size, 0);
});

t.test('who cannot say an address is not asked again', async t => {
  for (const address of [undefined, 'localhost', '10.244.0.7/24']) {
    let requests = 0;
    const port = await agent(t, (request, response) => {
      requests++;
      says(hello(address))(request, response);
    });
    t.equal(await new EarlyAddresses(forwards(port)).of('pod', never), null, `${address}`);
    t.equal(requests, 1);
  }
});

t.test('what is no agent is believed nothing, however much it says', async t => {
  const answers: [string, RequestListener][] = [
    ['no proof', says({ address: '10.244.0.7' })],
    ['no JSON', (_, response) => void response.end('10.244.0.7')],
    ['too much', says({ ...hello('10.244.0.7'), more: 'x'.repeat(5000) })],
    ['no end', (_, response) => void response.write('{')],
  ];
  for (const [what, answer] of answers) {
    let requests = 0;
    const port = await agent(t, (request, response) => {
      requests++;
      answer(request, response);
    });
    const { open, ...ways } = forwards(port);
    const stop = new AbortController();
    const asked = new EarlyAddresses(ways).of('pod', stop.signal);
    await until('it is asked again', () => requests === 2);
    stop.abort();
    t.equal(await asked, null, what);
    t.equal(open.size, 0);
  }
});

t.test('a start that is over asks no more, and few are asked at a time', async t => {
  const { open, ...ways } = forwards(await freePort());
  const addresses = new EarlyAddresses(ways);
  const stop = new AbortController();
  const asked = [1, 2, 3, 4].map(each => addresses.of(`pod-${each}`, stop.signal));
  await until('four are asked', () => open.size === 4);
  t.equal(await addresses.of('pod-5', never), null);
  t.notOk(open.has('pod-5'));
  stop.abort();
  t.same(await Promise.all(asked), [null, null, null, null]);
  t.equal(open.size, 0);
});
