import t from 'tap';
import {
  touchStep,
  type TouchAction,
  type TouchInput,
  type TouchState,
} from '../../../src/web/sdk/input/touch-gestures.js';

/** What comes of these touches in a session with a touch screen: each action's type, phase and fingers. */
function told(inputs: TouchInput[]): string[] {
  let state: TouchState = { type: 'idle' };
  const actions: TouchAction[] = [];
  for (const input of inputs) {
    const step = touchStep(state, input, { pinch: true, swipe: true, touchScreen: true });
    state = step.state;
    actions.push(...step.actions);
  }
  t.equal(state.type, 'idle', 'nothing is left');
  return actions.map(action =>
    action.type === 'touch' ? `${action.phase} ${[...action.fingers.keys()].join('+')}`.trim() : action.type,
  );
}

const at = { x: 5, y: 5 };
const far = { x: 205, y: 5 };

t.test('one finger is a finger from its first contact, never a mouse or a gesture', async t => {
  const tap: TouchInput[] = [
    { type: 'down', finger: 3, at, time: 0 },
    { type: 'up', finger: 3, at, time: 50 },
  ];
  t.same(told(tap), ['start 3', 'end']);
  const stroke: TouchInput[] = [
    { type: 'down', finger: 3, at, time: 0 },
    { type: 'move', finger: 3, at: far, time: 50 },
    { type: 'up', finger: 3, at: far, time: 60 },
  ];
  t.same(told(stroke), ['start 3', 'move 3', 'end']);
  const rest: TouchInput[] = [
    { type: 'down', finger: 3, at, time: 0 },
    { type: 'hold' },
    { type: 'up', finger: 3, at, time: 900 },
  ];
  t.same(told(rest), ['start 3', 'end'], 'the device knows what a long press is');
});

t.test('ten fingers come and go one by one', async t => {
  const fingers = Array.from({ length: 10 }, (_, finger) => finger);
  const inputs: TouchInput[] = [
    ...fingers.map(finger => ({ type: 'down' as const, finger, at, time: finger })),
    ...fingers.map(finger => ({ type: 'up' as const, finger, at, time: 20 + finger })),
  ];
  const all = told(inputs);
  t.equal(all.length, 20);
  t.equal(all[9], `start ${fingers.join('+')}`);
  t.equal(all[10], `end ${fingers.slice(1).join('+')}`);
});

t.test('what the browser takes away is cancelled', async t => {
  t.same(told([{ type: 'down', finger: 1, at, time: 0 }, { type: 'cancel' }]), ['start 1', 'cancel']);
});
