import { cross, pill, round, type Layout } from './layout.js';

export const SNES: Layout = {
  left: [pill('l', 'L', 36, 9, 62), cross(44, 64, 78), pill('select', 'SELECT', 78, 120, 36)],
  right: [
    pill('r', 'R', 64, 9, 62),
    round('x', 'X', 55, 38, 29, '#4d7dff'),
    round('a', 'A', 84, 64, 29, '#e8453c'),
    round('b', 'B', 55, 90, 29, '#f5c518'),
    round('y', 'Y', 26, 64, 29, '#2fae5b'),
    pill('start', 'START', 22, 120, 36),
  ],
};
