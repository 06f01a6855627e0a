const DAY_MS = 86_400_000;

/** Running time of one UTC day. */
export interface DayUsage {
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

/** Sums usage by day or month, newest first, omitting periods without usage. */
export function summarize(days: Iterable<DayUsage>, period: Period): { date: string; seconds: number }[] {
  const sums = new Map<string, number>();
  for (const { date, ms } of days) {
    const start = period === 'month' ? `${date.slice(0, 7)}-01` : date;
    sums.set(start, (sums.get(start) ?? 0) + ms);
  }
  return [...sums]
    .filter(([, ms]) => ms > 0)
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([date, ms]) => ({ date: `${date}T00:00:00.000Z`, seconds: ms / 1000 }));
}

/** Running time up to `now` of sessions that have run since `starts`; dates inclusive. */
export function liveUsage(
  starts: readonly number[],
  { from = '', to = '9999' }: { from?: string | undefined; to?: string | undefined },
  now: number,
): DayUsage[] {
  return starts.flatMap(start => splitByDay(start, now)).filter(({ date }) => date >= from && date <= to);
}
