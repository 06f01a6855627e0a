import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type AuditEvent, openAudit } from '../../../src/server/audit/index.js';

const user = { type: 'user', user_id: 'u1', admin: false, by: 'socket' } as const;
const call: AuditEvent = {
  event: 'call',
  call: 'tabs.query',
  result: 'ok',
  actor: user,
  session: 's',
  ip: '203.0.113.7',
};
const refused = (ip: string): AuditEvent => ({
  event: 'user.connect',
  result: 'refused',
  actor: { type: 'unknown' },
  ip,
  code: 'invalid_token',
});
const FLOOD = 20_000;

/** What is in the file after these events. */
async function recorded(t: Test, events: Iterable<AuditEvent>): Promise<Record<string, any>[]> {
  const path = join(t.testdir({}), 'audit.log');
  const audit = openAudit({ to: 'file', path });
  for (const event of events) audit.record(event);
  await audit.close();
  const text = (await readFile(path, 'utf8')).trim();
  return text.split('\n').map(line => JSON.parse(line) as Record<string, unknown>);
}

const repeated = (event: AuditEvent, count: number) => Array<AuditEvent>(count).fill(event);
const countOf = (lines: Record<string, any>[]) => lines.reduce((sum, { count = 1 }) => sum + Number(count), 0);

t.test("a viewer's calls beyond sixty a minute are one line, with their number", async t => {
  for (const event of [call, { ...call, result: 'failed', code: 'unknown_method', call: undefined } as AuditEvent]) {
    const lines = await recorded(t, repeated(event, FLOOD));
    t.equal(lines.length, 61);
    t.match(lines.at(-1), { event: 'call', actor: user, session: 's', count: FLOOD - 60, since: /^\d{4}-/ });
  }
});

t.test('refused strangers are counted by address, and do not keep others out', async t => {
  const admin: AuditEvent = { event: 'tokens.renew', result: 'ok', actor: { type: 'admin_token' }, ip: '203.0.113.7' };
  const service: AuditEvent = { event: 'session.ended', result: 'ok', actor: { type: 'service' } };
  const one = await recorded(t, [...repeated(refused('203.0.113.7'), FLOOD), admin]);
  t.equal(one.length, 62);
  t.equal(countOf(one), FLOOD + 1);
  const many = Array.from({ length: FLOOD }, (_, i) => refused(`10.0.${i >> 8}.${i & 255}`));
  const lines = await recorded(t, [...many, ...repeated(call, 100), admin, ...repeated(service, 1000)]);
  t.ok(lines.filter(({ actor }) => actor.type === 'unknown').length < 3000, `${lines.length} lines`);
  t.equal(lines.filter(({ event }) => event === 'session.ended').length, 1000, 'what the service does is always told');
  t.equal(lines.filter(({ event }) => event === 'tokens.renew').length, 1);
  t.equal(countOf(lines), FLOOD + 100 + 1 + 1000, 'everything is told or counted');
});

t.test('an API key is never limited', async t => {
  const start: AuditEvent = { event: 'session.start', result: 'ok', actor: { type: 'api_key', key: '12345678' } };
  t.equal((await recorded(t, repeated(start, 5000))).length, 5000);
});
