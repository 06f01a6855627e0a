import t, { type Test } from 'tap';
import { ApiServer } from '../../../src/server/engines/kubernetes/client.js';
import { PodWatch } from '../../../src/server/engines/kubernetes/pod-watch.js';
import { FakeApiServer } from '../../fixtures/kubernetes/fake-api-server.js';
import { until } from '../../fixtures/until.js';

const isWatch = (url = '') => url.includes('watch=true');

/** A watch of a fake server's Pods, and what it told, one word each. */
async function watched(t: Test, timing?: { watchS: number; marginMs: number }) {
  const server = await new FakeApiServer().start(t);
  const watch = new PodWatch(new ApiServer(server.config), 'berth', 'berth.role=session', timing);
  const told: string[] = [];
  server.set('first', {});
  const stop = watch.listen({
    connected: () => void told.push('connected'),
    disconnected: () => void told.push('disconnected'),
    changed: ({ metadata }) => void told.push(`changed ${metadata?.name ?? ''}`),
    gone: ({ metadata }) => void told.push(`gone ${metadata?.name ?? ''}`),
  });
  t.teardown(stop);
  await until('it watches', () => server.watching === 1);
  t.same(told.splice(0), ['changed first', 'connected']);
  return { server, watch, told, stop };
}

t.test('one list, then events; bookmarks move it on', async t => {
  const { server, watch, told } = await watched(t);
  server.set('second', {});
  server.delete('first');
  server.tell('BOOKMARK', { metadata: { resourceVersion: '77' } });
  await until('both are told', () => told.length === 2);
  t.same(told, ['changed second', 'gone first']);
  t.same([...(watch.pods?.keys() ?? [])], ['second']);
  server.end('orderly');
  await until('it watches again', () => server.watching === 1);
  const calls = server.calls.map(call => new URL(call.replace('GET ', 'http://fake')));
  t.equal(calls.filter(({ search }) => !isWatch(search)).length, 1, 'without another list');
  t.equal(calls.at(-1)?.searchParams.get('resourceVersion'), '77', 'from where it was');
  t.equal(calls.at(-1)?.searchParams.get('labelSelector'), 'berth.role=session');
  t.equal(told.length, 2, 'nobody need know');
});

t.test('what a watch that was cut off has missed is told after it', async t => {
  const { server, told } = await watched(t);
  server.set('second', {}, false);
  server.delete('first', false);
  server.end('cut');
  await until('both are told', () => told.length >= 2);
  t.same(told, ['gone first', 'changed second']);
});

t.test('a version that the server has forgotten is followed by a list', async t => {
  const { server, told } = await watched(t);
  server.set('second', {}, false);
  server.tell('ERROR', { code: 410, reason: 'Expired', message: 'too old resource version' });
  await until('it is told', () => told.includes('changed second'));
  t.notOk(told.includes('disconnected'));
});

t.test('an error in place of a watch does not end it', async t => {
  const { server, told } = await watched(t);
  let errors = 0;
  server.fault = ({ url }, response) => {
    if (!isWatch(url) || errors >= 3) return false;
    errors++;
    response.writeHead(errors === 2 ? 403 : 500).end('{"message":"no"}');
    return true;
  };
  server.end('cut');
  await until('it watches again', () => errors === 3 && server.watching === 1);
  server.set('second', {});
  await until('it tells', () => told.includes('changed second'));
  t.notOk(told.includes('disconnected'), 'lists were to be had all the time');
});

t.test('while there is no list it is lost, and told so once', async t => {
  const { server, watch, told } = await watched(t);
  let refused = 0;
  server.fault = (_request, response) => {
    if (refused++ >= 3) return false;
    response.writeHead(500).end('not JSON');
    return true;
  };
  server.set('first', { status: { phase: 'Failed' } }, false);
  server.end('cut');
  await until('it is lost', () => told.includes('disconnected'));
  t.equal(watch.pods, null);
  await until('it is back', () => told.includes('connected'));
  t.same(told, ['disconnected', 'changed first', 'connected']);
});

t.test('a server that ends each watch at once is not asked all the time', async t => {
  const { server } = await watched(t);
  server.fault = ({ url }, response) => {
    if (!isWatch(url)) return false;
    response.writeHead(200).end();
    return true;
  };
  const begun = performance.now();
  const before = server.calls.length;
  server.end('orderly');
  await until('it has asked thrice', () => server.calls.length >= before + 3);
  t.ok(performance.now() - begun > 1900, 'that takes two seconds');
});

t.test('a server that hangs in mid-watch is noticed, and asked again', async t => {
  const { server, told } = await watched(t, { watchS: 1, marginMs: 200 });
  server.set('second', {}, false);
  await until('the list tells', () => told.includes('changed second'));
  t.notOk(told.includes('disconnected'), 'it answers now');
  // Nor is it waited for in vain before it answers at all.
  let hung = 0;
  server.fault = ({ url }) => isWatch(url) && hung++ < 1;
  server.set('third', {}, false);
  server.end('cut');
  await until('the list tells', () => told.includes('changed third'));
  server.set('fourth', {}, false);
  await until('and the next one', () => hung > 0 && told.includes('changed fourth'));
});

t.test('when nobody listens it ends', async t => {
  const { server, watch, stop } = await watched(t);
  stop();
  await until('it watches no more', () => server.watching === 0);
  t.equal(watch.pods, null);
});
