import type { Point, Rect } from '../../../lib/geometry.js';
import { quantized } from '../../../controls/pad-state.js';
import type { DirectionPart, Part } from './layout.js';

/** A part of the pad and its position on the screen. */
export interface Zone {
  readonly part: Part;
  readonly rect: Rect;
}

/** A touch on the pad. One that starts on a cross or a stick stays with it; all others slide over the buttons. */
export interface Finger {
  readonly grip: DirectionPart | null;
  readonly at: Point;
}

/** Tolerance around a button, in radii: a touch between two presses both. */
const BESIDE = 0.4;
/** Dead zone of a cross, relative to half its size. */
const MIDDLE = 0.22;
/** Share of its length beyond which a direction counts as diagonal: all eight sectors are equally wide. */
const SIDEWAYS = Math.sin(Math.PI / 8);
/** Distance at which a stick is fully pushed, relative to half its size. */
const FULL = 0.75;

const middleOf = ({ left, top, width, height }: Rect): Point => ({ x: left + width / 2, y: top + height / 2 });

/** Distance of a point from a round or oblong shape, in radii of its ends; negative inside. */
function outside(point: Point, rect: Rect): number {
  const middle = middleOf(rect);
  const radius = Math.min(rect.width, rect.height) / 2;
  const dx = Math.max(0, Math.abs(point.x - middle.x) - (rect.width / 2 - radius));
  const dy = Math.max(0, Math.abs(point.y - middle.y) - (rect.height / 2 - radius));
  return Math.hypot(dx, dy) / radius - 1;
}

/** The part that a new touch grabs; null if it slides over the buttons. */
export function gripAt(zones: readonly Zone[], point: Point): DirectionPart | null {
  const near = zones.filter(({ rect }) => outside(point, rect) <= BESIDE);
  const nearest = near.sort((one, other) => outside(point, one.rect) - outside(point, other.rect))[0];
  return nearest === undefined || nearest.part.type === 'button' ? null : nearest.part;
}

/** The controls that touches press: each one's ID with how far it is pressed, from 0 to 1. */
export function pressed(zones: readonly Zone[], fingers: Iterable<Finger>): ReadonlyMap<string, number> {
  const amounts = new Map<string, number>();
  const press = (id: string, amount: number) => {
    if (amount > 0) amounts.set(id, Math.max(amount, amounts.get(id) ?? 0));
  };
  for (const { grip, at } of fingers) {
    for (const { part, rect } of zones) {
      if (part.type === 'button') {
        if (grip === null && outside(at, rect) <= BESIDE) press(part.control, 1);
      } else if (part === grip) {
        const { x, y } = part.type === 'cross' ? eighth(offset(at, rect)) : pushed(offset(at, rect));
        press(part.sides.left, -x);
        press(part.sides.right, x);
        press(part.sides.up, -y);
        press(part.sides.down, y);
      }
    }
  }
  return amounts;
}

/** A point's position relative to the centre, in halves of the size. */
function offset(at: Point, rect: Rect): Point {
  const middle = middleOf(rect);
  return { x: ((at.x - middle.x) * 2) / rect.width, y: ((at.y - middle.y) * 2) / rect.height };
}

/** The nearest of eight directions, each axis -1, 0 or 1. */
function eighth({ x, y }: Point): Point {
  const length = Math.hypot(x, y);
  if (length < MIDDLE) return { x: 0, y: 0 };
  const way = (value: number) => (Math.abs(value) > length * SIDEWAYS ? Math.sign(value) : 0);
  return { x: way(x), y: way(y) };
}

/** How far a stick is pushed, at most 1 in total. */
function pushed({ x, y }: Point): Point {
  const scale = 1 / Math.max(FULL, Math.hypot(x, y));
  return { x: quantized(x * scale), y: quantized(y * scale) };
}
