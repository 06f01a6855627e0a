import { convertIndexedToRgb, decode } from 'fast-png';

/** A picture with 8 bits per channel, RGB. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Levels of red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** A part of a picture: its origin and size. */
interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Reads a PNG of any form; transparency becomes black. @throws Error that says what is wrong with it */
export function readPng(content: Uint8Array): Picture {
  const starts = (bytes: string) => Buffer.from(content).subarray(0, bytes.length).equals(Buffer.from(bytes, 'latin1'));
  if (!starts('\x89PNG')) throw new Error(`it is ${starts('BM') ? 'a BMP' : 'no picture'}, not a PNG`);
  const image = decode(content);
  const { width, height } = image;
  const channels = image.palette ? (image.palette[0]?.length ?? 3) : image.channels;
  const source = image.palette ? convertIndexedToRgb(image) : image.data;
  const full = !image.palette && image.depth === 16 ? 257 : 1;
  const spread = !image.palette && image.depth < 8 ? 255 / ((1 << image.depth) - 1) : 1;
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const at = i * channels;
    const alpha = channels === 2 || channels === 4 ? (source[at + channels - 1] ?? 0) / full / 255 : 1;
    for (let channel = 0; channel < 3; channel++) {
      const value = source[at + (channels < 3 ? 0 : channel)] ?? 0;
      data[i * 3 + channel] = (value / full) * spread * alpha;
    }
  }
  return { width, height, data };
}

/** Scales a picture: each pixel is the mean of those it covers. */
export function scaled(picture: Picture, width: number, height: number): Picture {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const [top, bottom] = span(y, height, picture.height);
    for (let x = 0; x < width; x++) {
      const [left, right] = span(x, width, picture.width);
      const sums: [number, number, number] = [0, 0, 0];
      for (let row = top; row < bottom; row++) {
        for (let at = (row * picture.width + left) * 3; at < (row * picture.width + right) * 3; at += 3) {
          sums[0] += picture.data[at] ?? 0;
          sums[1] += picture.data[at + 1] ?? 0;
          sums[2] += picture.data[at + 2] ?? 0;
        }
      }
      const count = (bottom - top) * (right - left);
      data.set(
        sums.map(sum => sum / count),
        (y * width + x) * 3,
      );
    }
  }
  return { width, height, data };
}

/** The source pixels covered by a pixel, at least one. */
function span(place: number, places: number, length: number): [number, number] {
  const from = Math.floor((place * length) / places);
  return [from, Math.max(from + 1, Math.floor(((place + 1) * length) / places))];
}

/** Crops the rows and columns at the edges that have only this colour; null if nothing else is left. */
export function trimmed(picture: Picture, [red, green, blue]: Colour, tolerance = 24): Picture | null {
  const { width, height, data } = picture;
  const part: Part = { left: width, top: height, width: 0, height: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const isOther =
        Math.abs((data[at] ?? 0) - red) > tolerance ||
        Math.abs((data[at + 1] ?? 0) - green) > tolerance ||
        Math.abs((data[at + 2] ?? 0) - blue) > tolerance;
      if (!isOther) continue;
      part.left = Math.min(part.left, x);
      part.top = Math.min(part.top, y);
      part.width = Math.max(part.width, x + 1);
      part.height = Math.max(part.height, y + 1);
    }
  }
  if (part.width === 0) return null;
  return cut(picture, { ...part, width: part.width - part.left, height: part.height - part.top });
}

function cut({ width, data }: Picture, part: Part): Picture {
  const rows = new Uint8Array(part.width * part.height * 3);
  for (let y = 0; y < part.height; y++) {
    const at = ((part.top + y) * width + part.left) * 3;
    rows.set(data.subarray(at, at + part.width * 3), y * part.width * 3);
  }
  return { width: part.width, height: part.height, data: rows };
}

/** The most frequent colour, in steps of 16 levels, and how many pixels have which. */
export function colours({ data }: Picture): { dominant: Colour; counts: ReadonlyMap<number, number> } {
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 3) {
    const colour = (((data[at] ?? 0) >> 4) << 8) | (((data[at + 1] ?? 0) >> 4) << 4) | ((data[at + 2] ?? 0) >> 4);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const [most] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0]);
  const level = (shift: number) => ((most >> shift) & 15) * 16 + 8;
  return { dominant: [level(8), level(4), level(0)], counts };
}
