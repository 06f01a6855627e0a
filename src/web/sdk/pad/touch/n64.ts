import { cross, pill, round, stick, type Layout } from './layout.js';

const YELLOW = '#f5c518';

const ARROW = {
  up: { lines: 'M6 15l6-6 6 6' },
  down: { lines: 'M6 9l6 6 6-6' },
  left: { lines: 'M15 6l-6 6 6 6' },
  right: { lines: 'M9 6l6 6-6 6' },
} as const;

/** The stick is where the left thumb rests, with the cross below it. */
export const N64: Layout = {
  left: [pill('l', 'L', 26, 9, 46), pill('z', 'Z', 77, 9, 42), stick('stick', 'Stick', 44, 55, 66), cross(70, 106, 44)],
  right: [
    pill('r', 'R', 64, 9, 62),
    round('c-up', ARROW.up, 70, 33, 21, YELLOW),
    round('c-left', ARROW.left, 50, 52, 21, YELLOW),
    round('c-right', ARROW.right, 89, 52, 21, YELLOW),
    round('c-down', ARROW.down, 70, 71, 21, YELLOW),
    round('b', 'B', 20, 74, 30, '#2fae5b'),
    round('a', 'A', 46, 99, 32, '#4d7dff'),
    pill('start', 'START', 84, 120, 32),
  ],
};
