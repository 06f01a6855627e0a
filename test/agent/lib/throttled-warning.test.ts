import t from 'tap';
import { makeLog } from '../../../src/agent/lib/log.js';
import { throttledWarning } from '../../../src/agent/lib/throttled-warning.js';

t.test('a frequent event is logged now and then, with a count', async t => {
  const lines: string[] = [];
  let now = 0;
  const warn = throttledWarning(
    makeLog(line => lines.push(line)),
    'flood',
    () => now,
  );
  for (let i = 0; i < 1000; i++) warn({ i });
  now = 10_001;
  warn({ i: 1000 });
  t.match(
    lines.map(line => JSON.parse(line)),
    [
      { level: 'warn', event: 'flood', i: 0, left_out: 0 },
      { event: 'flood', i: 1000, left_out: 999 },
    ],
  );
  t.equal(lines.length, 2);
});
