import t from 'tap';
import { Fingers, placeOn, type Toucher } from '../../../src/agent/android/input/fingers.js';

const PORTRAIT = { width: 720, height: 1280 };
const LANDSCAPE = { width: 1280, height: 720 };
const link = {};
const first: Toucher = { link, user: 1 };
const second: Toucher = { link, user: 2 };

/** Fingers, and what reached the device. */
function hand() {
  const injected: [action: string, finger: number, x: number, y: number, width: number][] = [];
  const free: number[] = [];
  const fingers = new Fingers(
    (action, finger, { x, y, size }) => injected.push([action, finger, x, y, size.width]),
    () => free.push(injected.length),
  );
  return { fingers, injected, free, taken: () => injected.splice(0) };
}

const at = (id: number, x: number, y: number) => ({ id, x, y });

t.test('places are pixels of the picture, up to its edges', async t => {
  t.same(placeOn(PORTRAIT, { x: 0, y: 0 }), { x: 0, y: 0, size: PORTRAIT });
  t.same(placeOn(PORTRAIT, { x: 1, y: 1 }), { x: 719, y: 1279, size: PORTRAIT });
  t.same(placeOn(PORTRAIT, { x: 0.5, y: 0.5 }), { x: 360, y: 640, size: PORTRAIT });
});

t.test('ten fingers go down, move and up one by one', async t => {
  const { fingers, taken, free } = hand();
  const ten = Array.from({ length: 10 }, (_, id) => at(id, id / 10, 0.5));
  for (let count = 1; count <= 10; count++) fingers.touch(first, ten.slice(0, count), PORTRAIT);
  t.same(
    taken(),
    ten.map(({ id, x }) => ['down', id, Math.round(x * 719), 640, 720]),
  );
  fingers.touch(first, [...ten.slice(0, 9), at(9, 0.95, 0.25)], PORTRAIT);
  t.same(taken(), [['move', 9, 683, 320, 720]], 'those that stay where they are say nothing');
  fingers.touch(first, ten.slice(1, 9), PORTRAIT);
  t.same(
    taken().map(([action, id]) => [action, id]),
    [
      ['up', 0],
      ['up', 9],
    ],
  );
  t.equal(fingers.isHeld, true);
  t.same(free, []);
  fingers.touch(first, [], PORTRAIT);
  t.equal(taken().length, 8);
  t.equal(fingers.isHeld, false);
  t.equal(free.length, 1, 'the screen is free once');
});

t.test('one viewer has the screen at a time', async t => {
  const { fingers, taken } = hand();
  fingers.touch(first, [at(0, 0.5, 0.5)], PORTRAIT);
  fingers.touch(second, [at(0, 0.1, 0.1)], PORTRAIT);
  fingers.touch({ link: {}, user: 1 }, [at(1, 0.1, 0.1)], PORTRAIT);
  fingers.touch(second, [], PORTRAIT);
  t.same(taken(), [['down', 0, 360, 640, 720]]);
  fingers.touch(first, [], PORTRAIT);
  fingers.touch(second, [at(0, 0.1, 0.1)], PORTRAIT);
  t.same(
    taken().map(([action]) => action),
    ['up', 'down'],
  );
});

t.test('a size change lifts all fingers on the new size, and they count again when they touch anew', async t => {
  const { fingers, taken } = hand();
  fingers.touch(first, [at(3, 0.5, 0.25)], PORTRAIT);
  taken();
  fingers.resized(LANDSCAPE);
  t.same(taken(), [['up', 3, 640, 180, 1280]]);
  fingers.touch(first, [at(3, 0.6, 0.25)], LANDSCAPE);
  t.same(taken(), [], 'it is still the finger of before');
  fingers.touch(second, [at(0, 0.1, 0.1)], LANDSCAPE);
  t.same(taken(), [], 'its viewer keeps the screen until it lets go');
  fingers.touch(first, [at(3, 0.6, 0.25), at(4, 0.5, 0.5)], LANDSCAPE);
  t.same(taken(), [['down', 4, 640, 360, 1280]], 'another finger counts');
  fingers.touch(first, [], LANDSCAPE);
  fingers.touch(first, [at(3, 0.6, 0.25)], LANDSCAPE);
  t.same(
    taken().map(([action, id]) => [action, id]),
    [
      ['up', 4],
      ['down', 3],
    ],
  );
});

t.test('what a viewer that has gone held is lifted, and the screen is free', async t => {
  const { fingers, taken } = hand();
  fingers.touch(first, [at(0, 0.5, 0.5), at(1, 0.25, 0.5)], PORTRAIT);
  taken();
  fingers.left(({ user }) => user === 2, PORTRAIT);
  t.same(taken(), [], 'another one has gone');
  fingers.left(toucher => toucher.link === link, PORTRAIT);
  t.same(
    taken().map(([action]) => action),
    ['up', 'up'],
  );
  fingers.touch(second, [at(0, 0.5, 0.5)], PORTRAIT);
  t.same(
    taken().map(([action]) => action),
    ['down'],
  );
});

t.test('a device that was lost has forgotten its fingers', async t => {
  const { fingers, taken, free } = hand();
  fingers.touch(first, [at(0, 0.5, 0.5)], PORTRAIT);
  taken();
  fingers.forget();
  t.equal(fingers.isHeld, false);
  t.equal(free.length, 1);
  fingers.touch(first, [at(0, 0.6, 0.5)], PORTRAIT);
  t.same(taken(), [], 'and a finger that stays down does not appear out of nowhere');
});
