import t from 'tap';
import {
  ALONE_MS,
  FIRST_HOLD_MS,
  type FullLayer,
  LayerChoice,
  MAX_HOLD_MS,
  type ViewerPath,
} from '../../../src/server/media/layer-choice.js';

/** The full layer as one other viewer on a fast path gets it, in full motion. */
const full: FullLayer = { others: 1, bestKbps: 20_000, usedKbps: 9000, keyBytes: 60_000 };
const alone: FullLayer = { ...full, others: 0, bestKbps: 0 };
const still: FullLayer = { ...full, usedKbps: 100 };

/** A path of a rate, which was last congested at a time. */
const path = (capacityKbps: number, congestedAt = -Infinity, isBehind = false): ViewerPath => ({
  capacityKbps,
  congestedAt,
  lateMs: 0,
  isBehind,
});

/** One that is congested, for as long. */
const congested = (capacityKbps: number, now: number, lateMs = 1000): ViewerPath => ({
  ...path(capacityKbps, now),
  lateMs,
});

/** Decides ten times a second from `from` to `to`; gives the time of each move. */
function run(choice: LayerChoice, from: number, to: number, at: (now: number) => [ViewerPath, FullLayer]): number[] {
  const moves: number[] = [];
  for (let now = from; now < to; now += 100) {
    const before = choice.layer;
    if (choice.decide(...at(now), now) !== before) moves.push(now);
  }
  return moves;
}

/** One that got the small layer at 0. */
function onSmall(): LayerChoice {
  const choice = new LayerChoice();
  choice.decide(path(1500, 0, true), full, 0);
  return choice;
}

t.test('a viewer that keeps up gets the full layer, however much faster others are', async t => {
  const choice = new LayerChoice();
  t.same(
    run(choice, 0, 60_000, () => [path(2000), full]),
    [],
    'it was never congested: the rate is that of the session',
  );
  t.same(
    run(choice, 60_000, 120_000, now => [congested(9000, now), full]),
    [],
    'near enough',
  );
});

t.test('a congested path much slower than others gets the small layer within a third of a second', async t => {
  const moves = run(new LayerChoice(), 0, 5000, now => [congested(1500, now, now), full]);
  t.equal(moves.length, 1);
  t.ok(Number(moves[0]) >= 200 && Number(moves[0]) <= 400, `after ${moves[0]} ms`);
});

t.test('congestion for moments changes nothing, however slow the path seems', async t => {
  t.same(
    run(new LayerChoice(), 0, 20_000, now => [congested(1500, now, now % 300), full]),
    [],
  );
});

t.test('a viewer that falls behind gets it at once', async t => {
  t.equal(new LayerChoice().decide(path(15_000, 0, true), full, 0), 'small');
});

t.test('a slow viewer that is alone, or among others as slow, keeps the full layer', async t => {
  const slow = (now: number) => ({ ...congested(1500, now), isBehind: now % 1000 === 0 });
  t.same(
    run(new LayerChoice(), 0, 60_000, now => [slow(now), alone]),
    [],
  );
  t.same(
    run(new LayerChoice(), 0, 60_000, now => [congested(1500, now), { ...full, bestKbps: 2000 }]),
    [],
  );
});

t.test('it returns when nobody else gets the full layer', async t => {
  t.same(
    run(onSmall(), 100, 60_000, now => [path(1500, now), alone]),
    [ALONE_MS],
  );
});

t.test('it returns after a time without congestion', async t => {
  t.same(
    run(onSmall(), 100, 12_000, () => [path(8000, 0), full]),
    [FIRST_HOLD_MS],
  );
  t.same(
    run(onSmall(), 100, 60_000, now => [path(1500, now - (now % 8000)), full]),
    [],
    'not while it is congested now and then',
  );
});

t.test('after a return the queue of the key frame is no reason to leave, a longer one is', async t => {
  const choice = onSmall();
  run(choice, 100, FIRST_HOLD_MS + 100, () => [path(3000, 0), full]);
  t.equal(choice.layer, 'full');
  // Its 60 kB take 160 ms on the path.
  const returned = FIRST_HOLD_MS;
  t.same(
    run(choice, returned + 100, returned + 500, now => [congested(3000, now), full]),
    [],
  );
  const [left = NaN] = run(choice, returned + 500, returned + 2000, now => [congested(3000, now), full]);
  t.ok(left - returned < 1000, `after ${left - returned} ms`);
});

t.test('it returns sooner while the screen is still', async t => {
  const moves = run(onSmall(), 100, 60_000, () => [path(1500, 0), still]);
  t.same(moves, [FIRST_HOLD_MS / 2]);
});

t.test('it does not return if a key frame would take too long', async t => {
  t.same(
    run(onSmall(), 100, 300_000, () => [path(1500, 0), { ...still, keyBytes: 200_000 }]),
    [],
  );
});

t.test('a return that fails makes the next one wait twice as long', async t => {
  const choice = onSmall();
  let isSlow = false;
  const waits: number[] = [];
  let since = 0;
  for (let now = 100; now < 900_000; now += 100) {
    const before = choice.layer;
    const layer = choice.decide(isSlow ? congested(1500, now) : path(1500, since), { ...full, usedKbps: 1400 }, now);
    if (layer === before) continue;
    if (layer === 'full') waits.push(now - since);
    since = now;
    isSlow = layer === 'full';
  }
  t.same(waits.slice(0, 5), [10_000, 20_000, 40_000, 80_000, MAX_HOLD_MS]);
  t.equal(waits.at(-1), MAX_HOLD_MS);
});

t.test('one that has succeeded for a minute is forgotten', async t => {
  const choice = onSmall();
  run(choice, 100, 90_000, () => [path(20_000, 0), full]);
  t.equal(choice.layer, 'full');
  choice.decide(path(1500, 90_000, true), full, 90_000);
  t.same(
    run(choice, 90_100, 120_000, () => [path(8000, 90_000), full]),
    [90_000 + FIRST_HOLD_MS],
  );
});
