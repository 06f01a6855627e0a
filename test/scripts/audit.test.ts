import t from 'tap';
import { judge } from '../../scripts/lib/audit.js';

const vulnerable = { vulnerabilities: { ws: { name: 'ws', severity: 'high', range: '<8.17.1' } } };

t.test('a vulnerability at or above the level fails, and is named', async t => {
  t.same(judge(JSON.stringify(vulnerable), 1), { result: 'vulnerable', report: 'ws <8.17.1: high' });
});

t.test('none, or only lower ones, is clean', async t => {
  t.equal(judge('{"vulnerabilities": {}}', 0).result, 'clean');
  t.equal(judge(JSON.stringify(vulnerable), 0).result, 'clean');
});

t.test('a registry without an audit service is no result, and that is reported', async t => {
  const refused = judge('{"message": "405 Method Not Allowed", "method": "POST"}', 1);
  t.same(refused, { result: 'unknown', report: '405 Method Not Allowed' });
  t.equal(judge('', 1).result, 'unknown');
});
