import { pino } from 'pino';
import t from 'tap';
import { throttledLog } from '../../../src/server/lib/throttled-log.js';

t.test('what can be provoked is logged once a minute, with the number of those left out', async t => {
  const lines: { level: number; msg: string; left_out?: number }[] = [];
  const log = pino({ base: null }, { write: line => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  let now = 5;
  const warn = throttledLog(log, undefined, () => now);
  for (let i = 0; i < 100; i++) warn('warn', { i }, 'link lost');
  now += 59_999;
  warn('warn', { i: 100 }, 'link lost');
  now += 1;
  warn('info', { i: 101 }, 'link lost');
  now += 60_000;
  warn('warn', { i: 102 }, 'link lost');
  t.match(lines, [
    { level: 40, i: 0, msg: 'link lost' },
    { level: 30, i: 101, left_out: 100 },
    { level: 40, i: 102 },
  ]);
  t.notHas(lines[0], { left_out: Number });
  t.notHas(lines[2], { left_out: Number });
});
