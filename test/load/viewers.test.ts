// tags: long, random, slow
/**
 * 200 viewers who come and go at random for two minutes, each admitted by a webhook. The service is whole but for the
 * container, whose agent is faked; the schedule is that of a seed.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import type { SessionUser } from '../../src/protocol/generated/schemas.js';
import { serveInProcess } from '../fixtures/services/in-process.js';
import { startFakedSession } from '../fixtures/services/faked-session.js';
import { seedOf, sequence } from '../fixtures/seed.js';
import { metric } from '../fixtures/services/service.js';
import type { StreamClient } from '../fixtures/viewers/stream-client.js';
import { until } from '../fixtures/until.js';

const VIEWERS = 200;
const DURATION_MS = 120_000;
/** Between two comings or goings, on average. */
const STEP_MS = 20;
/** Comings and goings between two counts. */
const STEPS = 500;
const FRAME_MS = 100;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const sockets = () => process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length;
const heap = () => {
  collect();
  return process.memoryUsage().heapUsed;
};

t.test(`${VIEWERS} viewers join and leave: counts, users and sockets stay exact`, async t => {
  const random = sequence(seedOf(t));
  const socketsBefore = sockets();
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  t.teardown(() => process.off('warning', warned));

  let asked = 0;
  const backend = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked++;
      const { userdata } = JSON.parse(body) as { userdata: { welcome: boolean; priority: number } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ authorized: userdata.welcome, permissions: { priority: userdata.priority } }));
    });
  }).listen(0, '127.0.0.1');
  await once(backend, 'listening');
  t.teardown(() => void backend.close().closeAllConnections());
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}/check`;

  const service = await serveInProcess(t);
  const session = await startFakedSession(t, { auth: { type: 'webhook', value: { url, bearer: 'secret' } } }, service);
  const { agent } = service;
  const frames = setInterval(() => agent.sendFrame(), FRAME_MS);
  t.teardown(() => clearInterval(frames));
  // Sockets are counted: none is kept for later requests.
  const headers = { authorization: `Bearer ${service.apiKey}`, connection: 'close' };
  const users = async () => (await session.call('GET', '/users', undefined, null, headers)).body as SessionUser[];
  const viewersMetric = async () =>
    metric(await (await fetch(`${service.url}/metrics`, { headers })).text(), 'berth_viewers');

  const here = new Map<number, { viewer: StreamClient; userId: string; priority: number }>();
  const coming = new Map<number, Promise<void>>();
  const tally = { joined: 0, refused: 0, left: 0, gaveUp: 0 };

  const come = async (slot: number) => {
    const priority = random(100);
    const [welcome, patient] = [random(10) > 0, random(10) > 0];
    const viewer = await session.connect();
    viewer.tell({ type: 'join', userdata: { welcome, priority } });
    if (!patient) {
      tally.gaveUp++;
      return viewer.leave();
    }
    if (!welcome) {
      t.equal(await viewer.closed(), 4401, 'whom the webhook does not want is sent away');
      tally.refused++;
      return;
    }
    await viewer.heard('display');
    tally.joined++;
    here.set(slot, { viewer, userId: viewer.all('welcome')[0]?.user_id ?? '', priority });
  };
  const go = (slot: number) => {
    const { viewer } = here.get(slot) ?? {};
    here.delete(slot);
    tally.left++;
    if (random(2) === 0) viewer?.leave();
    else viewer?.socket.close();
  };
  const agree = async () => {
    await Promise.all(coming.values());
    const expected = [...here.values()].map(({ userId, priority }) => `${userId} ${priority}`).sort();
    const told = async () =>
      (await users()).map(({ user_id, permissions }) => `${user_id} ${permissions.priority}`).sort();
    // Also those who gave up before they were let in: the last of them may be asked about yet.
    await until('those who left are gone', async () => (await told()).join() === expected.join()).catch(
      () => undefined,
    );
    t.same(await told(), expected, `${expected.length} users, with what the webhook gave them`);
    t.equal(await viewersMetric(), expected.length, 'the metric');
    await until('the agent was told', () => {
      const presence = agent.controls.findLast(message => message.type === 'presence');
      return presence?.type === 'presence' && presence.viewers === expected.length;
    });
    // Nobody may come or go before the next count: what was told last is kept.
    agent.controls.splice(
      0,
      agent.controls.findLastIndex(({ type }) => type === 'presence'),
    );
    agent.received.length = 0;
  };

  const isEnough = () => tally.joined > 1000 && tally.refused > 50 && tally.gaveUp > 50;
  let settledHeap = 0;
  const end = performance.now() + DURATION_MS;
  for (let step = 1; performance.now() < end || !isEnough(); step++) {
    const slot = random(VIEWERS);
    if (here.has(slot)) go(slot);
    else if (!coming.has(slot)) {
      coming.set(
        slot,
        come(slot).finally(() => coming.delete(slot)),
      );
    }
    await sleep(random(2 * STEP_MS));
    if (step % STEPS !== 0) continue;
    await agree();
    const memory = heap();
    if (settledHeap === 0) settledHeap = memory;
    t.ok(memory < settledHeap + (48 << 20), `heap ${Math.round(memory / 2 ** 20)} MiB`);
  }

  await agree();
  for (const slot of here.keys()) go(slot);
  await until('all have gone', async () => (await users()).length === 0);
  t.equal(await viewersMetric(), 0);
  t.comment(JSON.stringify({ ...tally, asked }));
  t.ok(isEnough(), 'enough happened');
  t.equal(tally.left, tally.joined);
  await until('all sockets are closed but the two ends of the link', () => sockets() === socketsBefore + 2, 30_000);
  t.same(warnings, [], 'no listeners pile up');
});
