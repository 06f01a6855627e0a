export interface Size {
  width: number;
  height: number;
}

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
