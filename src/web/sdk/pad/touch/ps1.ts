import { cross, pill, round, stick, type Layout } from './layout.js';

const SHAPE = {
  triangle: { lines: 'M12 5l8 14H4z' },
  circle: { lines: 'M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 1 0 0-15z' },
  cross: { lines: 'M5.5 5.5l13 13m0-13l-13 13' },
  square: { lines: 'M5 5h14v14H5z' },
} as const;

export const PS1: Layout = {
  left: [
    pill('l2', 'L2', 25, 8, 44),
    pill('l', 'L1', 75, 8, 44),
    cross(35, 51, 62),
    stick('stick', 'Left stick', 76, 98, 46),
    pill('select', 'SELECT', 24, 120, 34),
  ],
  right: [
    pill('r', 'R1', 25, 8, 44),
    pill('r2', 'R2', 75, 8, 44),
    round('x', SHAPE.triangle, 64, 31, 25, '#2fc58f'),
    round('a', SHAPE.circle, 86.5, 53.5, 25, '#ff5b62'),
    round('b', SHAPE.cross, 64, 76, 25, '#7f9cff'),
    round('y', SHAPE.square, 41.5, 53.5, 25, '#e58bd0'),
    stick('right-stick', 'Right stick', 24, 98, 46),
    pill('start', 'START', 76, 120, 34),
  ],
};
