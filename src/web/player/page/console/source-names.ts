import type { PadSource } from '../../../controls/pad-source.js';
import { say } from '../../../languages/page.js';

const WAYS: Readonly<Record<string, string>> = { u: '↑', r: '→', d: '↓', l: '←' };

/** Buttons of the standard gamepad by their places, independent of what is printed on them. */
const PLACES = ['lowerButton', 'rightButton', 'leftButton', 'upperButton'] as const;

/** Those that have the same names everywhere. */
const PRINTED = ['L1', 'R1', 'L2', 'R2', 'Select', 'Start', 'L3', 'R3'];

const CROSS = ['↑', '↓', '←', '→'];

const buttonNames = () => [
  ...PLACES.map(key => say(key)),
  ...PRINTED,
  ...CROSS.map(arrow => `${say('cross')} ${arrow}`),
  say('homeButton'),
];

/** The axes of the standard gamepad, and where their halves lead. */
const AXES = [
  ['leftStick', '←', '→'],
  ['leftStick', '↑', '↓'],
  ['rightStick', '←', '→'],
  ['rightStick', '↑', '↓'],
] as const;

/** Names an input of a gamepad for people. */
export function sourceName(source: PadSource): string {
  const number = Number.parseInt(source.slice(1), 10);
  if (source.startsWith('b')) return buttonNames()[number] ?? say('buttonNumber', { number: number + 1 });
  if (source.startsWith('h')) return `${say('cross')} ${WAYS[source.slice(-1)] ?? ''}`;
  const isNegative = source.endsWith('-');
  const axis = AXES[number];
  if (axis !== undefined) return `${say(axis[0])} ${axis[isNegative ? 1 : 2]}`;
  return say('axisNumber', { number: number + 1 }) + (isNegative ? '−' : '+');
}
