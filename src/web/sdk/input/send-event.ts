import type { InputEvent } from '../../../protocol/input.js';
import { keysymOf } from './keysyms.js';

/** Input that a page makes itself. `x` and `y` are fractions of the display, 0 to 1. */
export type BerthEvent =
  | {
      type: 'keydown' | 'keyup';
      /** As in `KeyboardEvent.key`. */
      key: string;
      /** As in `KeyboardEvent.location`, default 0. */
      location?: number;
    }
  | {
      type: 'mousemove' | 'mousedown' | 'mouseup';
      x: number;
      y: number;
      /** As in `MouseEvent.button`: 0 left, 1 middle, 2 right, 3 back, 4 forward; default 0. */
      button?: number;
    }
  | {
      type: 'wheel';
      /** Pixels, positive to the right and down. */
      deltaX?: number;
      deltaY?: number;
      x?: number;
      y?: number;
    };

/**
 * Turns an event of the page's own into input.
 * @throws TypeError where it is not one
 */
export function inputOfEvent(event: unknown): InputEvent {
  if (typeof event !== 'object' || event === null) throw new TypeError('event must be an object');
  const given = event as Record<string, unknown>;
  switch (given['type']) {
    case 'keydown':
    case 'keyup': {
      const keysym = typeof given['key'] === 'string' ? keysymOf(given['key'], Number(given['location'] ?? 0)) : null;
      if (keysym === null) throw new TypeError('key must be the name of a key or one character');
      return { type: 'key', down: given['type'] === 'keydown', keysym };
    }
    case 'mousemove':
      return { type: 'move', x: fraction(given, 'x'), y: fraction(given, 'y') };
    case 'mousedown':
    case 'mouseup': {
      const button = given['button'] ?? 0;
      if (![0, 1, 2, 3, 4].includes(button as number)) throw new TypeError('button must be from 0 to 4');
      const down = given['type'] === 'mousedown';
      return { type: 'button', button: button as number, down, x: fraction(given, 'x'), y: fraction(given, 'y') };
    }
    case 'wheel':
      return {
        type: 'wheel',
        dx: pixels(given, 'deltaX'),
        dy: pixels(given, 'deltaY'),
        x: fraction(given, 'x', 0.5),
        y: fraction(given, 'y', 0.5),
      };
    default:
      throw new TypeError('type must be keydown, keyup, mousemove, mousedown, mouseup or wheel');
  }
}

function fraction(given: Record<string, unknown>, name: string, absent?: number): number {
  const value = given[name] ?? absent;
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) throw new TypeError(`${name} must be from 0 to 1`);
  return value;
}

function pixels(given: Record<string, unknown>, name: string): number {
  const value = given[name] ?? 0;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError(`${name} must be a number of pixels`);
  return value;
}
