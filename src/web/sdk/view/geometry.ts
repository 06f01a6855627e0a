import type { Size } from '../../media/video/pipeline.js';

export interface Rect extends Size {
  left: number;
  top: number;
}

export interface Point {
  x: number;
  y: number;
}

/** The rectangle of a picture inside an element that contains it, preserving its aspect ratio. */
export function pictureRect(element: Rect, picture: Size): Rect {
  if (picture.width <= 0 || picture.height <= 0) return element;
  const scale = Math.min(element.width / picture.width, element.height / picture.height);
  const width = picture.width * scale;
  const height = picture.height * scale;
  return {
    left: element.left + (element.width - width) / 2,
    top: element.top + (element.height - height) / 2,
    width,
    height,
  };
}

/**
 * A point's position on the display, from 0 (first pixel) to 1 (last), and whether it is on the picture at all; points
 * outside are clamped.
 */
export function displayPoint(point: Point, picture: Rect, display: Size): Point & { inside: boolean } {
  const x = (point.x - picture.left) / picture.width;
  const y = (point.y - picture.top) / picture.height;
  return {
    x: pixelFraction(x, display.width),
    y: pixelFraction(y, display.height),
    inside: x >= 0 && x < 1 && y >= 0 && y < 1,
  };
}

function pixelFraction(position: number, pixels: number): number {
  if (!(pixels > 1) || !Number.isFinite(position)) return 0;
  const pixel = Math.min(pixels - 1, Math.max(0, Math.floor(position * pixels)));
  return pixel / (pixels - 1);
}

const LINE_PIXELS = 40;

/** Values of `WheelEvent.wheelDelta`: per notch of a wheel, and per pixel of a touchpad. */
const CLICK = 120;
const TOUCHPAD_PIXEL = 3;

/**
 * Wheel movement in pixels, from a WheelEvent's delta in pixels (0), lines (1) or pages (2). `clicks` is the legacy
 * `wheelDelta` of the same axis, which reveals a wheel's notches, 120 pixels each whatever the system turns them into.
 */
export function wheelPixels(delta: number, mode: number, pageLength: number, clicks = 0): number {
  if (clicks !== 0 && clicks % CLICK === 0 && Math.abs(clicks) !== Math.abs(delta) * TOUCHPAD_PIXEL) return -clicks;
  if (mode === 1) return delta * LINE_PIXELS;
  return mode === 2 ? delta * pageLength : delta;
}

/** Bits of `buttons`, by the protocol's button number. */
const BUTTON_BITS = [1, 4, 2, 8, 16];

/** Buttons pressed or released between two states of `PointerEvent.buttons`. */
export function buttonChanges(before: number, after: number): { button: number; down: boolean }[] {
  return BUTTON_BITS.flatMap((bit, button) =>
    (before & bit) === (after & bit) ? [] : [{ button, down: (after & bit) !== 0 }],
  );
}
