import t from 'tap';
import { Scrolling } from '../../../src/agent/browser/tabs/scrolling.js';
import type { Scroll } from '../../../src/agent/display/messages.js';
import { CallFailure } from '../../../src/agent/link/calls.js';

const by = (dx: number, dy: number, x = 100): Scroll => ({ dx, dy, x, y: 50 });
const settled = () => new Promise(resolve => setImmediate(resolve));

/** Notes what a page is scrolled by, answering as told, and by what the wheel is turned instead. */
function scrolling(...answers: (boolean | Error | Promise<boolean>)[]) {
  const scrolled: Scroll[] = [];
  const turned: Scroll[] = [];
  const page = new Scrolling({
    scrollPage: async scroll => {
      scrolled.push(scroll);
      const answer = await (answers.shift() ?? true);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    turn: scroll => turned.push(scroll),
  });
  return { scrolled, turned, take: (scroll: Scroll) => page.take(scroll) };
}

t.test('scrolls during a scroll are combined', async t => {
  let go = (_: boolean) => {};
  const { scrolled, turned, take } = scrolling(new Promise(resolve => (go = resolve)));
  [by(0, 5), by(1, 7), by(1, -3, 120)].forEach(take);
  go(true);
  await settled();
  t.same(scrolled, [by(0, 5), by(2, 4, 120)]);
  t.same(turned, []);
});

t.test('where no page can be scrolled the wheel turns by the same amount', async t => {
  const { turned, take } = scrolling(false, new CallFailure('tab_error', 'Cannot access a chrome:// URL'));
  [by(0, 5), by(0, 6), by(3, 0)].forEach(take);
  await settled();
  t.same(turned, [by(0, 5), by(3, 6)]);
});

t.test('a page that does not answer is not scrolled twice', async t => {
  const { scrolled, turned, take } = scrolling(new CallFailure('not_ready', 'The browser did not answer in time.'));
  take(by(0, 5));
  await settled();
  take(by(0, 6));
  await settled();
  t.same(turned, []);
  t.same(scrolled, [by(0, 5), by(0, 6)]);
});
