// tags: containers, waiting, slow
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { containerOf, docker } from '../../fixtures/engines/docker.js';
import { engineProxy } from '../../fixtures/engines/proxy.js';
import { startService, type Service } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

/** How long the service or the engine is away: much longer than a sign of life is old. */
const OUTAGE_MS = 25_000;
/** Signs of life come every ten seconds, and are written every five. */
const SEEN_MS = 16_000;

async function start(service: Service, tenant: string, timeout: object = {}) {
  const { status, body } = await service.api('POST', '/v0/vm', { tenant_id: tenant, timeout });
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}`);
  const record = (await service.api('GET', `/v0/vm/${body.session_id}`)).body;
  return { id: body.session_id as string, tenant, created: Date.parse(record.creation_date) };
}

const finishedAt = async (container: string) =>
  Date.parse(await docker('inspect', container, '--format', '{{.State.FinishedAt}}'));

/** Waits for a session's end: when and why, and the seconds that were billed. */
async function ended(service: Service, { id, tenant }: { id: string; tenant: string }) {
  const record = await until('the end', async () => {
    const { body } = await service.api('GET', `/v0/vm/${id}`);
    return body.termination_date && body;
  });
  const { usage } = (await service.api('GET', `/v0/vm/usage?tenant_id=${tenant}`)).body;
  return {
    at: Date.parse(record.termination_date),
    reason: record.termination_reason as string,
    billed: usage.reduce((sum: number, { seconds }: { seconds: number }) => sum + seconds, 0) * 1000,
  };
}

t.test('what died while the service was down ended then, and is billed until then', async t => {
  const service = await startService(t);
  const killed = await start(service, 'killed');
  const removed = await start(service, 'removed');
  const before = await start(service, 'before', { absolute: 60 });
  const after = await start(service, 'after', { absolute: 30, warning: null });
  const lived = await start(service, 'lived', { absolute: 30, warning: null });
  await service.kill9();
  const down = Date.now();
  await docker('kill', containerOf(service, killed.id), containerOf(service, before.id));
  const died = await finishedAt(containerOf(service, killed.id));
  const diedBefore = await finishedAt(containerOf(service, before.id));
  await docker('rm', '-f', containerOf(service, removed.id));
  const gone = Date.now();
  await until('the deadline is over', () => Date.now() > after.created + 33_000);
  await docker('kill', containerOf(service, after.id));
  await sleep(Math.max(0, down + OUTAGE_MS - Date.now()));
  await service.restart();

  for (const [session, at, reason] of [
    [killed, died, 'crashed'],
    [before, diedBefore, 'crashed'],
    [after, after.created + 30_000, 'absolute'],
    [lived, lived.created + 30_000, 'absolute'],
  ] as const) {
    const end = await ended(service, session);
    t.same([end.reason, end.at], [reason, at], session.tenant);
    t.ok(end.billed <= at - session.created, `${session.tenant}: ${end.billed} ms of ${at - session.created}`);
    t.ok(end.billed > 0);
  }
  const end = await ended(service, removed);
  t.equal(end.reason, 'crashed');
  t.ok(end.at <= gone && end.at > down - SEEN_MS, `last heard of ${down - end.at} ms before the kill`);
  t.ok(end.billed <= end.at - removed.created);
});

t.test('what died while the engine was down ended then', async t => {
  const engine = await engineProxy(t);
  const service = await startService(t, { BERTH_REGIONS: `NA=${engine.address}` });
  const [killed, removed] = [await start(service, 'killed'), await start(service, 'removed')];
  await engine.down();
  await docker('kill', containerOf(service, killed.id));
  const died = await finishedAt(containerOf(service, killed.id));
  await docker('rm', '-f', containerOf(service, removed.id));
  const gone = Date.now();
  await sleep(OUTAGE_MS);
  await engine.up();
  const end = await ended(service, killed);
  t.same([end.reason, end.at], ['crashed', died]);
  t.ok(end.billed <= died - killed.created);
  const other = await ended(service, removed);
  t.ok(other.at <= gone && other.at > gone - SEEN_MS, `last heard of ${gone - other.at} ms before it was gone`);
});
