import t from 'tap';
import { Touches } from '../../../src/agent/browser/tabs/touches.js';
import type { TouchPhase } from '../../../src/protocol/touch.js';

const settled = () => new Promise(resolve => setImmediate(resolve));

/** Notes what becomes of touches on a display of 101 x 101 pixels. */
function touches(isPage: boolean | Promise<boolean>) {
  const done: string[] = [];
  const screen = new Touches({
    displaySize: () => ({ width: 101, height: 101 }),
    isPage: async () => isPage,
    touch: (phase, fingers) => done.push([phase, ...fingers.map(({ x, y }) => `${x},${y}`)].join(' ')),
    point: (user, event) => {
      if (event.type === 'button') done.push(`${user}: ${event.down ? 'down' : 'up'} ${event.x},${event.y}`);
      if (event.type === 'move') done.push(`${user}: move ${event.x},${event.y}`);
    },
  });
  const viewer = (link: object, user: number) => ({
    touch: (phase: TouchPhase, ...places: readonly (readonly [x: number, y: number])[]) =>
      screen.take(link, user, { type: 'touch', phase, points: places.map(([x, y], id) => ({ id, x, y })) }),
    lost: () => screen.lost(link),
  });
  return { done, viewer };
}

t.test('a page gets its fingers as they are, in pixels', async t => {
  const { done, viewer } = touches(true);
  const { touch } = viewer({}, 1);
  touch('start', [0.5, 0.5]);
  touch('move', [0.6, 0.5]);
  touch('start', [0.6, 0.5], [0, 0]);
  await settled();
  touch('end', [0.6, 0.5]);
  touch('end');
  t.same(done, ['start 50,50', 'move 60,50', 'start 60,50 0,0', 'end 60,50', 'end']);
});

t.test('a finger beside a page is the mouse with its left button held', async t => {
  const { done, viewer } = touches(false);
  const { touch } = viewer({}, 7);
  touch('start', [0.5, 0.5]);
  await settled();
  touch('move', [0.6, 0.5]);
  touch('end');
  touch('start', [0.1, 0.1]);
  touch('end');
  touch('start', [0.2, 0.2]);
  touch('end');
  await settled();
  t.same(done, [
    '7: down 0.5,0.5',
    '7: move 0.6,0.5',
    '7: up 0.6,0.5',
    '7: down 0.1,0.1',
    '7: up 0.1,0.1',
    '7: down 0.2,0.2',
    '7: up 0.2,0.2',
  ]);
});

t.test('a second finger beside a page does nothing', async t => {
  const { done, viewer } = touches(false);
  const { touch } = viewer({}, 7);
  touch('start', [0.5, 0.5]);
  touch('start', [0.5, 0.5], [0.9, 0.9]);
  await settled();
  touch('cancel');
  t.same(done, ['7: down 0.5,0.5', '7: move 0.5,0.5', '7: up 0.5,0.5']);
});

t.test('what happens meanwhile is kept, of moves the latest, and the end whatever comes before', async t => {
  const { done, viewer } = touches(true);
  const { touch } = viewer({}, 1);
  touch('start', [0, 0]);
  for (let i = 0; i < 200; i++) touch('move', [i / 200, 0]);
  for (let i = 0; i < 100; i++) {
    touch('start', [0, 0], [1, 1]);
    touch('end', [0, 0]);
  }
  touch('end');
  await settled();
  t.same(done.slice(0, 2), ['start 0,0', 'move 99.5,0']);
  t.equal(done.length, 50);
  t.equal(done.at(-1), 'end');
});

t.test('nobody waits for a viewer who has left', async t => {
  const { done, viewer } = touches(new Promise<boolean>(() => {}));
  const [first, second] = [viewer({}, 1), viewer({}, 2)];
  first.touch('start', [0, 0]);
  second.touch('start', [1, 1], [0, 0]);
  t.same(done, [], 'the first has the screen');
  first.lost();
  second.touch('start', [1, 1], [0, 0]);
  t.same(done, ['start 100,100 0,0']);
  second.lost();
  t.same(done.slice(1), ['cancel']);
});
