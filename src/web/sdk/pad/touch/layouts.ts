import type { ConsoleKind } from '../../../../protocol/generated/schemas.js';
import { cross, pill, round, stick, type Layout } from './layout.js';

const RED = '#e0343f';

const NES: Layout = {
  left: [cross(46, 58, 80), pill('select', 'SELECT', 76, 120, 36)],
  right: [round('b', 'B', 27, 72, 40, RED), round('a', 'A', 75, 52, 40, RED), pill('start', 'START', 24, 120, 36)],
};

const SNES: Layout = {
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

const YELLOW = '#f5c518';

const ARROW = {
  up: { lines: 'M6 15l6-6 6 6' },
  down: { lines: 'M6 9l6 6 6-6' },
  left: { lines: 'M15 6l-6 6 6 6' },
  right: { lines: 'M9 6l6 6-6 6' },
} as const;

/** The stick is where the left thumb rests, with the cross below it. */
const N64: Layout = {
  left: [
    pill('l', 'L', 26, 9, 46),
    pill('z', 'Z', 77, 9, 42),
    stick('stick', ({ say }) => say('stick'), 44, 55, 66),
    cross(70, 106, 44),
  ],
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

const SHAPE = {
  triangle: { lines: 'M12 5l8 14H4z' },
  circle: { lines: 'M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 1 0 0-15z' },
  cross: { lines: 'M5.5 5.5l13 13m0-13l-13 13' },
  square: { lines: 'M5 5h14v14H5z' },
} as const;

const PS1: Layout = {
  left: [
    pill('l2', 'L2', 25, 8, 44),
    pill('l', 'L1', 75, 8, 44),
    cross(35, 51, 62),
    stick('stick', ({ say }) => say('leftStick'), 76, 98, 46),
    pill('select', 'SELECT', 24, 120, 34),
  ],
  right: [
    pill('r', 'R1', 25, 8, 44),
    pill('r2', 'R2', 75, 8, 44),
    round('x', SHAPE.triangle, 64, 31, 25, '#2fc58f'),
    round('a', SHAPE.circle, 86.5, 53.5, 25, '#ff5b62'),
    round('b', SHAPE.cross, 64, 76, 25, '#7f9cff'),
    round('y', SHAPE.square, 41.5, 53.5, 25, '#e58bd0'),
    stick('right-stick', ({ say }) => say('rightStick'), 24, 98, 46),
    pill('start', 'START', 76, 120, 34),
  ],
};

/** The on-screen pad of each console. */
export const LAYOUTS: Readonly<Record<ConsoleKind, Layout>> = { nes: NES, snes: SNES, n64: N64, ps1: PS1 };
