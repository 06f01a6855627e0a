import type { KindName } from './kinds/kind.js';

const DAY_MS = 86_400_000;

/** Whose usage it is, where that is asked for. */
export interface UsageGroup {
  tenantId?: string | null;
  /** null: not known, in what older versions have written. */
  kind?: KindName | null;
}

/** Running time of one UTC day. */
export interface DayUsage extends UsageGroup {
  /** `YYYY-MM-DD`. */
  date: string;
  ms: number;
}

export type Period = 'day' | 'month';

/** Splits the interval from `from` to `to`, UTC milliseconds, at UTC midnight. */
export function splitByDay(from: number, to: number): DayUsage[] {
  const days: DayUsage[] = [];
  for (let start = from; start < to;) {
    const end = Math.min(to, (Math.floor(start / DAY_MS) + 1) * DAY_MS);
    days.push({ date: new Date(start).toISOString().slice(0, 10), ms: end - start });
    start = end;
  }
  return days;
}

/** A sum of usage, as it is answered. */
export interface UsageSum {
  date: string;
  tenant_id?: string | null;
  kind?: KindName | null;
  seconds: number;
}

/** Sums usage by day or month and by group, newest first, omitting periods without usage. */
export function summarize(days: Iterable<DayUsage>, period: Period): UsageSum[] {
  const sums = new Map<string, DayUsage>();
  for (const day of days) {
    const date = period === 'month' ? `${day.date.slice(0, 7)}-01` : day.date;
    const key = JSON.stringify([date, day.tenantId, day.kind]);
    sums.set(key, { ...day, date, ms: (sums.get(key)?.ms ?? 0) + day.ms });
  }
  return [...sums.values()]
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => compare(b.date, a.date) || compare(a.tenantId, b.tenantId) || compare(a.kind, b.kind))
    .map(({ date, tenantId, kind, ms }) => ({
      date: `${date}T00:00:00.000Z`,
      ...(tenantId === undefined ? {} : { tenant_id: tenantId }),
      ...(kind === undefined ? {} : { kind }),
      seconds: ms / 1000,
    }));
}

/** None comes first. */
function compare(one: string | null | undefined, other: string | null | undefined): number {
  const [a, b] = [one ?? '', other ?? ''];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A session that runs since `at`, UTC milliseconds. */
export interface RunningSince extends UsageGroup {
  at: number;
}

/** Running time up to `now` of sessions that run; dates inclusive. */
export function liveUsage(
  sessions: readonly RunningSince[],
  { from = '', to = '9999' }: { from?: string | undefined; to?: string | undefined },
  now: number,
): DayUsage[] {
  return sessions
    .flatMap(({ at, ...group }) => splitByDay(at, now).map(day => ({ ...day, ...group })))
    .filter(({ date }) => date >= from && date <= to);
}
