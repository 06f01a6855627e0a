import t, { type Test } from 'tap';
import { startFakedSession } from '../../../fixtures/services/faked-session.js';
import { serveInProcess, type InProcess } from '../../../fixtures/services/in-process.js';
import { until } from '../../../fixtures/until.js';

interface Record {
  creation_date: string;
  termination_date: string | null;
  termination_reason: string | null;
}

/** A service of its own, so that what was used is that of one session. */
async function served(t: Test) {
  const service = await serveInProcess(t);
  const usedMs = async () => {
    const days = (await (await service.api('GET', '/v0/vm/usage')).json()) as { usage: { seconds: number }[] };
    return days.usage.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
  };
  return { service, usedMs };
}

const ended = (service: InProcess, id: string) =>
  until('the end', async () => {
    const record = (await (await service.api('GET', `/v0/vm/${id}`)).json()) as Record;
    return record.termination_date === null ? null : record;
  });

for (const type of ['absolute', 'inactive', 'offline'] as const) {
  t.test(`a changed timeout ends nothing before the change, and takes back no usage: ${type}`, async t => {
    const { service, usedMs } = await served(t);
    const { id, call } = await startFakedSession(t, {}, service);
    const begun = Date.now();
    await until('it was used for a while', () => Date.now() >= begun + 1500);
    const changed = Date.now();
    t.equal((await call('POST', '/timeout', { [type]: 0.2, reset: false })).status, 200);
    const record = await ended(service, id);
    t.equal(record.termination_reason, type);
    // The service's clock is that of the machine when the process began.
    t.ok(Date.parse(record.termination_date ?? '') >= changed - 2, 'it ends with the change');
    t.ok((await usedMs()) >= changed - begun - 2, 'what was used is used');
  });
}

t.test('a timeout that would have expired when it is changed is not announced', async t => {
  const { service } = await served(t);
  const { id, call, join } = await startFakedSession(t, { timeout: { warning: 3600, offline: null } }, service);
  const viewer = await join();
  const begun = Date.now();
  await until('it was used for a while', () => Date.now() >= begun + 300);
  await call('POST', '/timeout', { absolute: 0.1, reset: false });
  await ended(service, id);
  await viewer.heard('end');
  t.notOk(viewer.told.some(({ type }) => type === 'warning'));
});

t.test('a timeout that is shorter than the start ends the session after the start', async t => {
  const { service, usedMs } = await served(t);
  service.engine.hold = () => new Promise(resolve => setTimeout(resolve, 1200));
  const { id } = await startFakedSession(t, { timeout: { absolute: 0.2 } }, service);
  const record = await ended(service, id);
  t.equal(record.termination_reason, 'absolute');
  const lived = Date.parse(record.termination_date ?? '') - Date.parse(record.creation_date);
  t.ok(lived >= 1200, `${lived} ms after its creation`);
  t.ok((await usedMs()) <= lived - 1200, 'the start is not used time');
});
