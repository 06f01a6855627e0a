import t from 'tap';
import { displayPoint, pictureRect } from '../../../src/web/lib/geometry.js';
import { buttonChanges, ControlClicks } from '../../../src/web/sdk/input/pointer.js';
import { PinchSteps } from '../../../src/web/sdk/input/pinch-steps.js';
import { wheelPixels, WholePixels } from '../../../src/web/sdk/input/wheel.js';

const DISPLAY = { width: 1280, height: 720 };

t.test('a picture keeps its aspect ratio in any element', async t => {
  t.same(pictureRect({ left: 0, top: 0, width: 1280, height: 920 }, DISPLAY), {
    left: 0,
    top: 100,
    width: 1280,
    height: 720,
  });
  t.same(pictureRect({ left: 10, top: 20, width: 840, height: 360 }, DISPLAY), {
    left: 110,
    top: 20,
    width: 640,
    height: 360,
  });
  t.same(pictureRect({ left: 0, top: 0, width: 5, height: 5 }, { width: 0, height: 0 }), {
    left: 0,
    top: 0,
    width: 5,
    height: 5,
  });
});

t.test('a position is the fraction of the display’s pixels under it', async t => {
  const picture = { left: 100, top: 0, width: 640, height: 360 };
  t.same(displayPoint({ x: 100, y: 0 }, picture, DISPLAY), { x: 0, y: 0, inside: true });
  t.same(displayPoint({ x: 739.9, y: 359.9 }, picture, DISPLAY), { x: 1, y: 1, inside: true });
  t.same(displayPoint({ x: 100.6, y: 0 }, picture, DISPLAY).x * 1279, 1, 'the second pixel');
  t.same(
    displayPoint({ x: 0, y: 999 }, picture, DISPLAY),
    { x: 0, y: 1, inside: false },
    'beside it, the nearest place',
  );
  t.same(displayPoint({ x: 5, y: 5 }, { left: 0, top: 0, width: 0, height: 0 }, DISPLAY).x, 0);
});

t.test('button events are what changed between two states', async t => {
  t.same(buttonChanges(0, 1), [{ button: 0, down: true }]);
  t.same(buttonChanges(1, 2), [
    { button: 0, down: false },
    { button: 2, down: true },
  ]);
  t.same(
    buttonChanges(0, 4 + 8 + 16).map(({ button }) => button),
    [1, 3, 4],
  );
  t.same(buttonChanges(3, 3), []);
});

t.test('on a Mac a click with Control held is a right click', async t => {
  const held = (isMac: boolean, ctrlKey: boolean) => {
    const clicks = new ControlClicks(isMac);
    const event = (type: string, button: number, buttons: number, control: boolean) =>
      clicks.buttonsOf({ type, button, buttons, ctrlKey: control });
    // Control may be released first.
    return [
      event('pointerdown', 0, 1, ctrlKey),
      event('pointermove', -1, 1, false),
      event('pointermove', -1, 5, false),
      event('pointerup', 0, 0, false),
      event('pointerdown', 0, 1, false),
    ];
  };
  t.same(held(true, true), [2, 2, 6, 0, 1]);
  t.same(held(true, false), [1, 1, 5, 0, 1]);
  t.same(held(false, true), [1, 1, 5, 0, 1], 'on others it is what it is');
});

t.test('a pinch of a touchpad is told from a wheel with Ctrl held, and zooms by steps', async t => {
  const pinch = new PinchSteps();
  const [control, none] = [{ ctrlKey: true }, { ctrlKey: false }];
  t.ok(pinch.isPinch(control));
  t.notOk(pinch.isPinch(none), 'scrolling');
  pinch.note(control);
  t.notOk(pinch.isPinch(control), 'Ctrl is held');
  pinch.note(none);
  t.ok(pinch.isPinch(control));
  t.same(
    [-8, -8, -8, -50, 30].map((delta, i) => pinch.add(delta, i * 16)),
    [0, 0, 1, 2, 0],
  );
  t.equal(pinch.add(19, 5000), 0, 'what was left of an earlier pinch does not count');
});

t.test('wheels scroll in pixels, lines or pages', async t => {
  t.equal(wheelPixels(120, 0, 720), 120);
  t.equal(wheelPixels(3, 1, 720), 120);
  t.equal(wheelPixels(-1, 2, 720), -720);
  t.equal(wheelPixels(1.25, 0, 720, -3.75), 1.25, 'a touchpad');
  t.equal(wheelPixels(40, 0, 720, -120), 40, 'a touchpad whose way looks like a click');
});

t.test('one wheel click is one click in the session, whatever the system makes of it', async t => {
  t.equal(wheelPixels(100, 0, 720, -120), 120);
  t.equal(wheelPixels(-160, 0, 720, 240), -240);
  t.equal(wheelPixels(5, 1, 720, -120), 120, 'five lines');
});

t.test('fractions of pixels add up', async t => {
  const pixels = new WholePixels();
  t.same(
    [0.4, 0.4, 0.4, -1.5].map(by => pixels.add(by)),
    [0, 0, 1, -1],
  );
});
