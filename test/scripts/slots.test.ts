/** Test files of phases beside each other share places. */
import t from 'tap';
import { Slots } from '../../scripts/lib/slots.js';

t.test('a place is given to one at a time, in the order of asking but for those who come first', async t => {
  const slots = new Slots(1);
  const order: string[] = [];
  const giveBack = await slots.take();
  const asks = (name: string, first = false) =>
    slots.take(first).then(done => {
      order.push(name);
      done();
    });
  const all = [asks('b'), asks('c'), asks('a', true)];
  t.same(order, [], 'all wait for the first one');
  giveBack();
  await Promise.all(all);
  t.same(order, ['a', 'b', 'c']);
});
