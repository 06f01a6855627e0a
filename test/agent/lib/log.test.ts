import t from 'tap';
import { makeLog } from '../../../src/agent/lib/log.js';

t.test('an event is one line of JSON, without credentials and queries of URLs', async t => {
  const lines: string[] = [];
  const log = makeLog(
    line => void lines.push(line),
    () => 12.4,
  );
  log.warn('first page not opened', { error: 'Invalid url: "https://me:SECRET@a.example/b?token=SECRET"', tries: 2 });
  t.equal(lines.length, 1);
  t.match(JSON.parse(lines[0] ?? ''), {
    level: 'warn',
    ms: 12,
    event: 'first page not opened',
    error: 'Invalid url: "https://[secret]@a.example/b?[secret]"',
    tries: 2,
  });
});
