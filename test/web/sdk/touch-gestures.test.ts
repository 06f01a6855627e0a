import t from 'tap';
import {
  DOUBLE_TAP,
  SWIPE,
  touchStep,
  TWO_FINGER_TAP_MS,
  type SessionGestures,
  type TouchAction,
  type TouchInput,
  type TouchState,
} from '../../../src/web/sdk/input/touch-gestures.js';

/** Milliseconds between the frames of a screen. */
const FRAME_MS = 16;

/** The state and the actions after touches. */
function after(gestures: SessionGestures, inputs: TouchInput[]): { state: TouchState; actions: TouchAction[] } {
  let state: TouchState = { type: 'idle' };
  const actions: TouchAction[] = [];
  for (const input of inputs) {
    const step = touchStep(state, input, gestures);
    state = step.state;
    actions.push(...step.actions);
  }
  return { state, actions };
}

const gesture = (gestures: SessionGestures, ...inputs: TouchInput[]) => after(gestures, inputs).actions;
const touch = (...inputs: TouchInput[]) => gesture({}, ...inputs);

const finger = (type: 'down' | 'move' | 'up', x: number, y = 0, number = 1, time = 0): TouchInput => ({
  type,
  finger: number,
  at: { x, y },
  time,
});
const hold: TouchInput = { type: 'hold' };
const short = (actions: TouchAction[]) =>
  actions.map(action => (action.type === 'button' ? `${action.button}${action.down ? 'down' : 'up'}` : action.type));

/** How far actions have scrolled. */
const scrolled = (actions: TouchAction[]) => ({
  dx: actions.reduce((sum, action) => sum + (action.type === 'scroll' ? action.dx : 0), 0),
  dy: actions.reduce((sum, action) => sum + (action.type === 'scroll' ? action.dy : 0), 0),
});

/** A stroke of a finger upwards by 100 pixels in 80 ms, lifted after `rest` ms more. */
const flick = (rest = 0) => [
  finger('down', 0, 300),
  ...[20, 40, 60, 80].map(ms => finger('move', 0, 300 - ms * 1.25, 1, ms)),
  finger('up', 0, 200, 1, 80 + rest),
];

t.test('a tap clicks', async t => {
  t.same(short(touch(finger('down', 5), finger('move', 7), finger('up', 7))), ['move', '0down', '0up']);
});

t.test('a second tap near the first is a double click, at the same place', async t => {
  const two = (x: number, time: number) =>
    touch(finger('down', 5), finger('up', 5), finger('down', x, 0, 1, time), finger('up', x, 0, 1, time)).at(-1);
  t.match(two(5 + DOUBLE_TAP.pixels, DOUBLE_TAP.ms), { at: { x: 5, y: 0 } });
  t.match(two(6 + DOUBLE_TAP.pixels, DOUBLE_TAP.ms), { at: { x: 6 + DOUBLE_TAP.pixels, y: 0 } }, 'not far from it');
  t.match(two(7, DOUBLE_TAP.ms + 1), { at: { x: 7, y: 0 } }, 'nor later');
});

t.test('a long press clicks right when the finger is lifted, and drags when it moves', async t => {
  t.same(short(touch(finger('down', 5), hold, finger('move', 9), finger('up', 9))), ['move', 'held', '2down', '2up']);
  const actions = touch(finger('down', 0), hold, finger('move', 30), finger('move', 60), finger('up', 60));
  t.same(short(actions), ['move', 'held', '0down', 'move', 'move', '0up']);
  t.match(actions[2], { at: { x: 0, y: 0 } }, 'from where it was put down');
});

t.test('one finger scrolls, and the page follows it pixel by pixel', async t => {
  const actions = touch(
    finger('down', 0, 100),
    finger('move', 3, 80, 1, 20),
    finger('move', 9, 60.5, 1, 40),
    finger('move', 9, 110, 1, 60),
    finger('up', 9, 110, 1, 200),
  );
  t.same(short(actions), ['move', 'scroll', 'scroll', 'scroll']);
  t.same(scrolled(actions), { dx: 0, dy: -10 }, 'straight where it began so, and back as well');
  t.match(actions.at(-1), { at: { x: 9, y: 110 } }, 'where the finger is');
  const aslant = touch(finger('down', 0, 0), finger('move', -20, -30), finger('up', -20, -30, 1, 900));
  t.same(scrolled(aslant), { dx: 20, dy: 30 });
});

t.test('a flick scrolls on, ever slower, until it stops', async t => {
  const { state, actions } = after({}, flick());
  t.equal(state.type, 'flinging');
  t.equal(scrolled(actions).dy, 100);
  let now: TouchState = state;
  const ways: number[] = [];
  for (let frame = 0; now.type === 'flinging' && frame < 1000; frame++) {
    const step = touchStep(now, { type: 'frame', time: frame * FRAME_MS });
    now = step.state;
    if (step.actions.length > 0) ways.push(scrolled(step.actions).dy);
  }
  t.equal(now.type, 'idle');
  t.ok(Math.abs((ways[0] ?? 0) - 1.25 * FRAME_MS) < 1, `as fast as the finger at first: ${ways[0]} pixels`);
  t.ok(ways.every((way, frame) => frame === 0 || way < (ways[frame - 1] ?? 0)));
  t.ok((ways.at(-1) ?? 9) < 1, 'it does not stop abruptly');
  t.ok(ways.length * FRAME_MS > 500 && ways.length * FRAME_MS < 2000, `after ${ways.length * FRAME_MS} ms`);
});

t.test('a flick of which a busy page hears late and little scrolls on as well', async t => {
  const few = [finger('down', 0, 300), finger('move', 0, 150, 1, 150), finger('up', 0, 150, 1, 160)];
  t.match(after({}, few).state, { type: 'flinging', speed: { x: 0, y: -1 } });
});

t.test('a finger that rests before it is lifted flings nothing', async t => {
  t.equal(after({}, flick(60)).state.type, 'idle');
  t.equal(after({}, [...flick().slice(0, -1), { type: 'cancel' }]).state.type, 'idle');
});

t.test('the next touch stops a fling, and is no click', async t => {
  const stopped = after({}, [...flick(), finger('down', 0, 0, 1, 200), finger('up', 0, 0, 1, 250)]);
  t.equal(stopped.state.type, 'idle');
  t.notOk(short(stopped.actions).includes('0down'));
  const on = touch(...flick(), finger('down', 0, 50, 1, 200), finger('move', 0, 20, 1, 220));
  t.equal(scrolled(on).dy, 130, 'but may scroll again');
});

t.test('a page that was not visible for a while does not scroll on', async t => {
  const frames = [0, 5000].map(time => ({ type: 'frame', time }) as const);
  t.equal(after({}, [...flick(), ...frames]).state.type, 'idle');
});

t.test('a quick sideways stroke swipes if the session has the gesture', async t => {
  const swipe = (...inputs: TouchInput[]) => gesture({ swipe: true }, ...inputs);
  const stroke = (x: number, y = 0, ms = 100) => [
    finger('down', 0),
    finger('move', x / 2, y / 2, 1, ms / 2),
    finger('up', x, y, 1, ms),
  ];
  t.same(swipe(...stroke(100)).at(-1), { type: 'swipe', direction: 'right' });
  t.same(swipe(...stroke(-100)).at(-1), { type: 'swipe', direction: 'left' });
  t.same(short(swipe(...stroke(100, 80))), ['move', 'scroll'], 'not aslant');
  t.same(short(swipe(...stroke(100, 0, SWIPE.ms + 1))), ['move', 'scroll'], 'not slowly');
  t.same(short(swipe(...stroke(SWIPE.pixels - 1))), ['move', 'scroll'], 'nor when it is short');
  t.same(short(touch(...stroke(100))), ['move', 'scroll'], 'nor where the session does not understand it');
  t.same(short(swipe(finger('down', 5), finger('up', 5))), ['move', '0down', '0up'], 'a tap stays one');
});

t.test('two fingers zoom and move the picture', async t => {
  const actions = gesture(
    { zoom: true },
    finger('down', 100, 0),
    finger('down', 200, 0, 2),
    finger('move', 205, 0, 2),
    finger('move', 300, 0, 2),
    finger('move', 140, 40, 1),
    finger('up', 140, 40, 1, 900),
    finger('up', 300, 0, 2, 950),
  );
  t.same(short(actions), ['move', 'zoom', 'zoom'], 'what is too little at first is not lost');
  t.match(actions[1], { factor: 2, from: { x: 150, y: 0 }, to: { x: 200, y: 0 } });
  t.match(actions[2], { from: { x: 200, y: 0 }, to: { x: 220, y: 20 } });
  const late = gesture({ zoom: true }, finger('down', 0), finger('move', 0, 40), finger('down', 90, 0, 2));
  t.same(short(late), ['move', 'scroll'], 'the second finger may come later');
  t.same(
    short(touch(finger('down', 0), finger('down', 90, 0, 2), finger('move', 190, 0, 2))),
    ['move'],
    'not a console',
  );
});

t.test('a tap of two fingers shows all, or the pixels', async t => {
  const tap = (ms: number) =>
    gesture(
      { zoom: true },
      finger('down', 100, 50),
      finger('down', 200, 50, 2),
      finger('up', 100, 50, 1, ms),
      finger('up', 200, 50, 2, ms),
    );
  t.same(tap(TWO_FINGER_TAP_MS).at(-1), { type: 'toggleZoom', at: { x: 150, y: 50 } });
  t.same(short(tap(TWO_FINGER_TAP_MS + 1)), ['move'], 'not when they rest');
});

t.test('two fingers are forwarded if the session handles pinches', async t => {
  const actions = gesture(
    { pinch: true, zoom: true },
    finger('down', 0),
    finger('down', 50, 0, 2),
    finger('move', 90, 0, 2),
    finger('up', 0),
    finger('up', 90, 0, 2),
  );
  t.same(
    actions.map(action => (action.type === 'touch' ? [action.phase, [...action.fingers.keys()]] : action.type)),
    ['move', ['start', [1, 2]], ['move', [1, 2]], ['end', [2]], ['end', []]],
  );
  const taken = gesture({ pinch: true }, finger('down', 0), finger('down', 50, 0, 2), { type: 'cancel' });
  t.match(taken.at(-1), { type: 'touch', phase: 'cancel' });
  t.same(short(gesture({ pinch: true }, finger('down', 0), finger('move', 30))), ['move', 'scroll']);
});

t.test('pages of a phone get the finger itself', async t => {
  const phases = (gestures: SessionGestures, ...inputs: TouchInput[]) =>
    gesture(gestures, ...inputs).map(action =>
      action.type === 'touch'
        ? [action.phase, ...[...action.fingers.values()].map(({ x }) => x)].join(' ')
        : action.type,
    );
  const moving = [finger('down', 0), finger('move', 30), finger('move', 60), finger('up', 60)];
  const phone = { pinch: true, pageTouch: true };
  t.same(phases(phone, ...moving), ['start 0', 'move 30', 'move 60', 'end']);
  t.same(phases(phone, finger('down', 5)), ['start 5'], 'at its first contact');

  const swipes = { ...phone, swipe: true };
  t.same(phases(swipes, ...moving), ['swipe'], 'but for one that may swipe');
  t.same(phases(swipes, finger('down', 0, 0), finger('move', 0, 30)), ['start 0', 'move 0']);
  t.same(phases(swipes, finger('down', 5)), []);
  t.same(phases(swipes, finger('down', 5), finger('up', 5)), ['start 5', 'end']);
  t.same(phases(swipes, finger('down', 5), hold), ['start 5']);
});

t.test('what is interrupted is released', async t => {
  t.same(short(touch(finger('down', 0), hold, finger('move', 30), { type: 'cancel' })), [
    'move',
    'held',
    '0down',
    'move',
    '0up',
  ]);
  const second = [finger('down', 9, 9, 2), finger('up', 9, 9, 2), finger('up', 30)];
  const { state, actions } = after({}, [finger('down', 0), hold, finger('move', 30), ...second]);
  t.same(short(actions), ['move', 'held', '0down', 'move', '0up']);
  t.equal(state.type, 'idle');
});
