/** A point in the document, in CSS pixels from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One line, from the press of the pointer to its release. */
export interface Stroke {
  readonly kind: 'pen' | 'eraser';
  readonly color: string;
  /** CSS pixels. */
  readonly width: number;
  readonly points: Point[];
}

/** A segment of a line: a curve from one point to another with a third as its control point. */
export interface Curve {
  readonly from: Point;
  readonly control: Point;
  readonly to: Point;
}

/**
 * The segments of a line from the point at `first` on: curves through the midpoints between points, so that the line
 * has no corners. The last half segment follows with the next point, or with `ended`.
 */
export function curves(points: readonly Point[], first = 0, ended = true): Curve[] {
  const parts: Curve[] = [];
  for (let index = first; index < points.length; index++) {
    const control = points[index] as Point;
    const before = points[index - 1] ?? control;
    const next = points[index + 1];
    if (next === undefined && !ended && points.length > 1) break;
    const from = index === 0 ? control : middle(before, control);
    parts.push({ from, control, to: next === undefined ? control : middle(control, next) });
  }
  return parts;
}

/** Whether a line may be visible in a part of the document. */
export function touches({ points, width }: Stroke, left: number, top: number, right: number, bottom: number): boolean {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
  }
  const margin = width / 2;
  return minX - margin < right && maxX + margin > left && minY - margin < bottom && maxY + margin > top;
}

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
