import t from 'tap';
import { TouchQueue, type Touch } from '../../src/extensions/internal/touch-queue.js';

const at = (phase: Touch['phase'], ...places: number[]): Touch => ({ phase, fingers: places.map((x, id) => ({ id, x, y: 100 })) });

/** What is left of touches that all waited. */
function left(...touches: Touch[]): Touch[] {
  const queue = new TouchQueue();
  for (const touch of touches) queue.add(touch);
  const all: Touch[] = [];
  for (let touch = queue.take(); touch !== undefined; touch = queue.take()) all.push(touch);
  return all;
}

t.test('a quick pinch keeps its way, however long it waits', async t => {
  const pinch = [at('start', 300), at('start', 300, 340), ...[1, 2, 3, 4].map(step => at('move', 300 - 30 * step, 340 + 30 * step)), at('end')];
  t.same(left(...pinch), pinch);
});

t.test('of small moves the newest is kept, as long as no finger leaps', async t => {
  const moves = Array.from({ length: 40 }, (_, step) => at('move', 300 - step, 340));
  const kept = left(at('start', 300, 340), ...moves, at('end')).map(({ fingers }) => fingers[0]?.x);
  t.same(kept, [300, 276, 261, undefined]);
});

t.test('what comes and goes is kept, in order', async t => {
  const touches = [at('start', 300), at('end'), at('start', 300), at('move', 301), at('cancel')];
  t.same(left(...touches), touches);
});

t.test('fingers that leap to and fro while nobody takes them do not grow the queue', async t => {
  const moves = Array.from({ length: 1000 }, (_, step) => at('move', step % 2 ? 0 : 1000));
  const kept = left(at('start', 500), ...moves);
  t.ok(kept.length <= 64, `${kept.length}`);
  t.same(kept.at(-1), moves.at(-1), 'the newest is the last');
});

t.test('nothing is remembered of those that were taken', async t => {
  const queue = new TouchQueue();
  queue.add(at('move', 300));
  t.same(queue.take(), at('move', 300));
  t.equal(queue.take(), undefined);
  queue.add(at('move', 301));
  queue.add(at('move', 302));
  t.same([queue.take(), queue.take(), queue.take()], [at('move', 301), at('move', 302), undefined]);
});
