import t from 'tap';
import { type Counted, LineBudget } from '../../../src/server/lib/line-budget.js';

const LIMITS = { perKey: 3, perAddress: 5, total: 8 };

function budget() {
  const counted: Counted<string>[] = [];
  return { counted, lines: new LineBudget<string>(LIMITS, each => counted.push(each)) };
}

t.test('the first lines of a kind are written, the others counted', async t => {
  const { lines, counted } = budget();
  const written = Array.from({ length: 100 }, () => lines.admit('a', 'call', 'a call')).filter(Boolean);
  t.equal(written.length, LIMITS.perKey);
  lines.flush();
  t.match(counted, [{ sample: 'a call', address: 'a', count: 97, since: /^\d{4}-/ }]);
  lines.flush();
  t.equal(counted.length, 1, 'told once');
  t.ok(lines.admit('a', 'call', 'a call'), 'then it begins anew');
});

t.test('one address, and all of them together, have limits, too', async t => {
  const { lines } = budget();
  const take = (address: string) => ['x', 'y', 'z'].flatMap(key => [1, 2, 3].map(() => lines.admit(address, key, key)));
  t.equal(take('a').filter(Boolean).length, LIMITS.perAddress);
  t.equal(take('b').filter(Boolean).length, LIMITS.total - LIMITS.perAddress);
});

t.test('what is kept is bounded, whatever is made up', async t => {
  const { lines, counted } = budget();
  for (let address = 0; address < 5000; address++)
    for (let key = 0; key < 20; key++) lines.admit(String(address), `${key}`, 'made up');
  for (let key = 0; key < 5000; key++) lines.admit('a', `${key}`, 'made up');
  lines.flush();
  t.ok(counted.length < 5000, `${counted.length} lines`);
  const sum = counted.reduce((sum, { count }) => sum + count, 0);
  t.equal(sum, 105_000 - LIMITS.total, 'every one is counted');
});
