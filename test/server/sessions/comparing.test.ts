import t, { type Test } from 'tap';
import { EngineError } from '../../../src/server/engines/index.js';
import { FakeDevice } from '../../fixtures/android/fake-device.js';
import { freeDevices } from '../../fixtures/android/free-devices.js';
import type { FakeEngine } from '../../fixtures/engines/fake-engine.js';
import { serveInProcess, type InProcess } from '../../fixtures/services/in-process.js';
import { until } from '../../fixtures/until.js';

/** Something that is waited for until it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>(resolve => (open = resolve));
  return { opened, open };
}

/** Resolves when all comparisons that were asked for before are over. */
async function compared(engine: FakeEngine): Promise<void> {
  let lists = 0;
  engine.listing = async () => void lists++;
  engine.events?.connected();
  await until('the next comparison', () => lists > 0);
}

/** Begins to compare sessions with containers; what the store knows is read when it resolves, what the engine knows is not. */
async function compareSlowly(engine: FakeEngine) {
  const answer = gate();
  let lists = 0;
  await compared(engine);
  engine.listing = () => (lists++, answer.opened);
  engine.events?.connected();
  await until('the engine is asked', () => lists > 0);
  return {
    /** Lets the engine answer, and resolves when the comparison is over. */
    async finish() {
      answer.open();
      await compared(engine);
    },
  };
}

/** A service with one device. */
async function serveOneDevice(t: Test) {
  const device = await FakeDevice.start(t);
  const service = await serveInProcess(t, { BERTH_ANDROID_DEVICES: 'adb', BERTH_ANDROID_ADB: device.name });
  await freeDevices(service);
  return { ...service, device };
}

async function startAndroid(api: InProcess['api']) {
  const response = await api('POST', '/v0/android');
  const { session_id: id } = (await response.json()) as { session_id: string };
  return { status: response.status, id };
}

const recordOf = async ({ api }: InProcess, id: string) =>
  (await api('GET', `/v0/vm/${id}`)).json() as Promise<{
    termination_date: string | null;
    termination_message?: string;
  }>;

t.test('a start that completes while sessions are compared with containers continues', async t => {
  const service = await serveInProcess(t);
  const { engine, api } = service;
  const start = gate();
  let starting = false;
  engine.hold = () => ((starting = true), start.opened);
  const answer = api('POST', '/v0/vm');
  await until('it starts', () => starting);
  const comparison = await compareSlowly(engine);
  start.open();
  const started = await answer;
  t.equal(started.status, 201);
  const { session_id: id } = (await started.json()) as { session_id: string };
  await comparison.finish();
  const { termination_date: end, termination_message: message } = await recordOf(service, id);
  t.equal(end, null, message ?? 'it runs');
  t.same([...engine.running], [id]);
});

t.test('a profile saved while sessions are compared with containers is not reported lost', async t => {
  const service = await serveInProcess(t, { BERTH_LOG_LEVEL: 'info' });
  const { engine, api, agent, log } = service;
  const save = gate();
  let saving = false;
  agent.onRequest = (_request, response) => {
    saving = true;
    void save.opened.then(() => response.end('the profile'));
  };
  const started = await api('POST', '/v0/vm', { profile: true });
  const { session_id: id } = (await started.json()) as { session_id: string };
  const ended = api('DELETE', `/v0/vm/${id}`);
  await until('the profile is being saved', () => saving);
  const comparison = await compareSlowly(engine);
  save.open();
  t.equal((await ended).status, 200);
  await comparison.finish();
  t.match(log(), 'profile saved');
  t.notMatch(log(), 'profile lost');
  t.equal(engine.running.size, 0);
});

t.test('a device that is reset while sessions are compared with containers is reset once, to the end', async t => {
  const { engine, api, device } = await serveOneDevice(t);
  const { id } = await startAndroid(api);
  const reset = gate();
  let begun = false;
  device.commands.length = 0;
  device.onCommand = () => ((begun = true), reset.opened);
  const ended = api('DELETE', `/v0/vm/${id}`);
  await until('it is being reset', () => begun);
  t.equal(engine.running.size, 0, 'its container is gone by then');
  await compared(engine);
  await compared(engine);
  reset.open();
  t.equal((await ended).status, 200);
  t.equal(device.commands.filter(command => command.includes('logcat -b main -c')).length, 1);
  t.equal((await startAndroid(api)).status, 201, 'it is lent again at once');
});

t.test('a device is neither reset nor lent before its engine says that the container is gone', async t => {
  const { engine, api, device } = await serveOneDevice(t);
  const { id } = await startAndroid(api);
  const stop = engine.stop.bind(engine);
  engine.stop = () => Promise.reject(new EngineError('unavailable', 'The engine is away.'));
  device.commands.length = 0;
  await api('DELETE', `/v0/vm/${id}`);
  t.equal((await startAndroid(api)).status, 429);
  t.same(device.commands, []);
  engine.stop = stop;
  await compared(engine);
  await until('it is lent', async () => (await startAndroid(api)).status === 201);
  t.notOk(engine.running.has(id));
});

t.test('a device that another session has by now is not reset for the one before', async t => {
  const { engine, api, device } = await serveOneDevice(t);
  const { id } = await startAndroid(api);
  await api('DELETE', `/v0/vm/${id}`);
  t.equal((await startAndroid(api)).status, 201);
  device.commands.length = 0;
  engine.running.add(id);
  await compared(engine);
  await until('its container is removed', () => !engine.running.has(id));
  t.same(device.commands, []);
});
