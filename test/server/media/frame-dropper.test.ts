import t from 'tap';
import {
  BUDGET_MS,
  FrameDropper,
  KEY_BUDGET_MS,
  KEY_INTERVAL_MS,
  type Backlog,
} from '../../../src/server/media/frame-dropper.js';

const none: Backlog = { ageMs: 0, baseMs: 20, quietMs: Infinity, frames: 0, isPathBusy: false, socketBytes: 0 };
const behind = (ageMs: number): Backlog => ({ ...none, ageMs, quietMs: 40, frames: 10 });

/** A gate that a key frame opened at 0. */
function opened(): FrameDropper {
  const gate = new FrameDropper();
  gate.offer(true, none, 0);
  return gate;
}

t.test('is closed until a key frame', async t => {
  const gate = new FrameDropper();
  t.notOk(gate.offer(false, none, 0));
  t.ok(gate.wantsKey(none, 0), 'and wants one at once');
  gate.asked(0);
  t.notOk(gate.wantsKey(none, KEY_INTERVAL_MS - 1), 'but asks once a second');
  t.ok(gate.wantsKey(none, KEY_INTERVAL_MS));
  t.ok(gate.offer(true, none, 10));
  t.ok(gate.offer(false, none, 20));
});

t.test('closes above the budget, not counting the round trip', async t => {
  const gate = opened();
  t.ok(gate.offer(false, behind(BUDGET_MS + 20), 3000));
  t.notOk(gate.offer(false, behind(BUDGET_MS + 21), 3040));
  t.notOk(gate.offer(false, behind(100), 3080), 'and stays closed');
});

t.test('has more patience with a key frame', async t => {
  t.ok(opened().offer(false, behind(KEY_BUDGET_MS), 1100));
  t.notOk(opened().offer(false, behind(KEY_BUDGET_MS + 21), 1100));
});

t.test('closes when too much waits in the socket', async t => {
  t.notOk(opened().offer(false, { ...none, socketBytes: 8 << 20 }, 3000));
});

t.test('accepts no key frame before the backlog is gone', async t => {
  const gate = opened();
  gate.offer(false, behind(1000), 3000);
  t.notOk(gate.offer(true, behind(1000), 3100));
  t.notOk(gate.wantsKey(behind(1000), 3100));
  t.ok(gate.wantsKey(none, 3200));
  t.ok(gate.offer(true, none, 3300));
});

t.test('tries a key frame on a viewer that acknowledges nothing, doubling the wait each time', async t => {
  const gate = opened();
  const silent = (quietMs: number): Backlog => ({ ...none, ageMs: 60_000, frames: 5, quietMs });
  for (const wait of [2000, 4000, 8000, 16_000, 16_000]) {
    gate.close();
    t.notOk(gate.wantsKey(silent(wait - 1), 100_000), `not after ${wait - 1} ms`);
    t.ok(gate.wantsKey(silent(wait), 100_000), `after ${wait} ms`);
    t.ok(gate.offer(true, silent(wait), 100_000));
  }
  gate.close();
  t.notOk(gate.wantsKey({ ...silent(60_000), isPathBusy: true }, 200_000), 'nor while the frames are on their way');
  gate.acknowledged();
  gate.close();
  t.ok(gate.wantsKey(silent(2000), 100_000), 'and soon again after a sign of life');
});
