import t from 'tap';
import { liveUsage, splitByDay, summarize } from '../../../src/server/model/usage.js';

const at = (text: string) => Date.parse(text);

t.test('time is split at UTC midnight', async t => {
  t.same(splitByDay(at('2026-02-27T23:59:58Z'), at('2026-03-01T00:00:01.500Z')), [
    { date: '2026-02-27', ms: 2000 },
    { date: '2026-02-28', ms: 86_400_000 },
    { date: '2026-03-01', ms: 1500 },
  ]);
  t.same(splitByDay(5, 5), []);
  t.same(splitByDay(at('2026-01-01T00:00:00Z'), at('2026-01-02T00:00:00Z')), [{ date: '2026-01-01', ms: 86_400_000 }]);
});

t.test('days are summed, newest first, empty ones omitted', async t => {
  const days = [
    { date: '2026-01-31', ms: 1000 },
    { date: '2026-02-01', ms: 250 },
    { date: '2026-01-31', ms: 500 },
    { date: '2026-02-02', ms: 0 },
  ];
  t.same(summarize(days, 'day'), [
    { date: '2026-02-01T00:00:00.000Z', seconds: 0.25 },
    { date: '2026-01-31T00:00:00.000Z', seconds: 1.5 },
  ]);
  t.same(summarize(days, 'month'), [
    { date: '2026-02-01T00:00:00.000Z', seconds: 0.25 },
    { date: '2026-01-01T00:00:00.000Z', seconds: 1.5 },
  ]);
});

t.test('running sessions count from readiness up to now', async t => {
  const now = at('2026-01-02T00:00:10Z');
  const starts = [{ at: at('2026-01-01T23:59:50Z') }, { at: at('2026-01-02T00:00:05Z') }];
  t.same(
    summarize(liveUsage(starts, {}, now), 'day').map(({ seconds }) => seconds),
    [15, 10],
  );
  t.same(
    summarize(liveUsage(starts, { from: '2026-01-02' }, now), 'day').map(({ seconds }) => seconds),
    [15],
  );
  t.same(
    summarize(liveUsage(starts, { to: '2026-01-01' }, now), 'day').map(({ seconds }) => seconds),
    [10],
  );
});

t.test('groups are summed by themselves, in order', async t => {
  const now = Date.parse('2026-01-02T00:00:10Z');
  const live = [{ at: now - 5000, tenantId: 'b', kind: 'nes' as const }];
  const booked = [
    { date: '2026-01-02', ms: 1000, tenantId: 'b', kind: 'nes' as const },
    { date: '2026-01-02', ms: 2000, tenantId: 'b', kind: null },
    { date: '2026-01-02', ms: 3000, tenantId: null, kind: 'nes' as const },
    { date: '2026-01-03', ms: 0, tenantId: 'c', kind: null },
  ];
  const date = '2026-01-02T00:00:00.000Z';
  t.same(summarize([...booked, ...liveUsage(live, {}, now)], 'day'), [
    { date, tenant_id: null, kind: 'nes', seconds: 3 },
    { date, tenant_id: 'b', kind: null, seconds: 2 },
    { date, tenant_id: 'b', kind: 'nes', seconds: 6 },
  ]);
});
