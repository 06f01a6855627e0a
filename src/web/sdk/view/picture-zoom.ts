import type { Point, Rect, Size } from '../../lib/geometry.js';

/**
 * How a picture is enlarged: by a factor, 1 or more, and so that a place of it, as fractions of its size, is in the
 * middle of the view, or as near as its edges allow.
 */
export interface PictureZoom {
  readonly factor: number;
  readonly middle: Point;
}

export const WHOLE: PictureZoom = { factor: 1, middle: { x: 0.5, y: 0.5 } };

/** A picture is enlarged by this factor at least, and until a pixel of the display is this many CSS pixels wide. */
const MAX = { factor: 4, pixel: 2 } as const;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

/** Where one side of a picture begins: in the middle if it fits, otherwise without leaving a gap. */
const begin = (wanted: number, length: number, view: number) =>
  length <= view ? (view - length) / 2 : clamp(wanted, view - length, 0);

/** Where an enlarged picture is in a view of a size; `fit`: where the whole picture is. */
export function zoomedRect({ factor, middle }: PictureZoom, fit: Rect, view: Size): Rect {
  const [width, height] = [fit.width * factor, fit.height * factor];
  return {
    left: begin(view.width / 2 - middle.x * width, width, view.width),
    top: begin(view.height / 2 - middle.y * height, height, view.height),
    width,
    height,
  };
}

/** The zoom that shows a place, fractions of the picture: at half the view's height, and moved sideways only if it must. */
export function revealed(before: PictureZoom, { x, y }: Point, fit: Rect, view: Size): PictureZoom {
  const { left, width } = zoomedRect(before, fit, view);
  const at = left + x * width;
  return { ...before, middle: { x: at >= 0 && at < view.width ? before.middle.x : x, y } };
}

/** The largest factor; `scale`: pixels of the display per CSS pixel of the whole picture. */
const largest = (scale: number) => Math.max(MAX.factor, MAX.pixel * scale);

/** The zoom after a gesture that enlarges by a factor, and moves what is at `from` in the view to `to`. */
export function zoomBy(
  before: PictureZoom,
  { factor: by, from, to }: { factor: number; from: Point; to: Point },
  { fit, view, scale }: { fit: Rect; view: Size; scale: number },
): PictureZoom {
  const rect = zoomedRect(before, fit, view);
  const factor = clamp(before.factor * by, 1, largest(scale));
  const growth = factor / before.factor;
  const [left, top] = [to.x - (from.x - rect.left) * growth, to.y - (from.y - rect.top) * growth];
  const [width, height] = [fit.width * factor, fit.height * factor];
  const wanted = { factor, middle: { x: (view.width / 2 - left) / width, y: (view.height / 2 - top) / height } };
  const bounded = zoomedRect(wanted, fit, view);
  return {
    factor,
    middle: { x: (view.width / 2 - bounded.left) / width, y: (view.height / 2 - bounded.top) / height },
  };
}
