import type { PadSource } from '../../../controls/pad-source.js';

/** Buttons of the standard gamepad, independent of what is printed on them. */
const BUTTONS = [
  'Lower',
  'Right',
  'Left',
  'Upper',
  'L1',
  'R1',
  'L2',
  'R2',
  'Select',
  'Start',
  'L3',
  'R3',
  'Cross ↑',
  'Cross ↓',
  'Cross ←',
  'Cross →',
  'Home',
] as const;

/** Halves of the axes of the standard gamepad. */
const AXES: Readonly<Partial<Record<PadSource, string>>> = {
  'a0-': 'Left stick ←',
  'a0+': 'Left stick →',
  'a1-': 'Left stick ↑',
  'a1+': 'Left stick ↓',
  'a2-': 'Right stick ←',
  'a2+': 'Right stick →',
  'a3-': 'Right stick ↑',
  'a3+': 'Right stick ↓',
};

const WAYS: Readonly<Record<string, string>> = { u: '↑', r: '→', d: '↓', l: '←' };

/** Names an input of a gamepad for people. */
export function sourceName(source: PadSource): string {
  const number = Number.parseInt(source.slice(1), 10);
  if (source.startsWith('b')) return BUTTONS[number] ?? `Button ${number + 1}`;
  if (source.startsWith('h')) return `Cross ${WAYS[source.slice(-1)] ?? ''}`;
  return AXES[source] ?? `Axis ${number + 1}${source.endsWith('-') ? '−' : '+'}`;
}
