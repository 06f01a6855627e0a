import { cross, pill, round, type Layout } from './layout.js';

const RED = '#e0343f';

export const NES: Layout = {
  left: [cross(46, 58, 80), pill('select', 'SELECT', 76, 120, 36)],
  right: [round('b', 'B', 27, 72, 40, RED), round('a', 'A', 75, 52, 40, RED), pill('start', 'START', 24, 120, 36)],
};
