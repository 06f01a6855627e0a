import { colours, scaled, trimmed, type Colour, type Picture } from './picture.js';

const WIDTH = 64;
const HEIGHT = 48;
/** Pixels by which two pictures may be shifted against each other. */
const SHIFT = 1;
/** A picture whose levels deviate less than this is of one colour. */
const FLAT = 2;
const BLACK: Colour = [0, 0, 0];

/** From this value on, two pictures show the same. */
export const SIMILAR = 0.7;

/**
 * The similarity of two pictures: the correlation of their levels of red, green and blue at 64x48 pixels, the best one
 * of shifts by up to a pixel; 1 is equal, 0 unrelated. They are compared as they are, without black borders, and
 * without a border of one colour: emulators crop and place differently. Pictures of a single colour are compared by
 * that colour.
 */
export function similarity(a: Picture, b: Picture): number {
  const [one, two] = [small(trimmed(a, BLACK)), small(trimmed(b, BLACK))];
  if (isFlat(one) && isFlat(two)) return Math.max(0, 1 - 4 * distance(one, two));
  if (isFlat(one) || isFlat(two)) return 0;
  const drawn = (picture: Picture) => small(trimmed(picture, colours(picture).dominant));
  return Math.max(0, compared(small(a), small(b)), compared(one, two), compared(drawn(a), drawn(b)));
}

/** A picture scaled for the comparison; black if nothing is left of it. */
const small = (picture: Picture | null) =>
  picture === null ? new Uint8Array(WIDTH * HEIGHT * 3) : scaled(picture, WIDTH, HEIGHT).data;

const isFlat = (data: Uint8Array) => deviation(data) < FLAT;

function compared(one: Uint8Array, two: Uint8Array): number {
  let best = -1;
  for (let dy = -SHIFT; dy <= SHIFT; dy++) {
    for (let dx = -SHIFT; dx <= SHIFT; dx++) best = Math.max(best, correlation(one, two, dx, dy));
  }
  return best;
}

/** How much the levels deviate from the means of red, green and blue. */
const deviation = (data: Uint8Array) => Math.sqrt(Math.max(0, covariance(data, data, 0, 0)));

/** Mean difference of the levels, 0 to 1. */
const distance = (one: Uint8Array, two: Uint8Array) =>
  one.reduce((sum, level, i) => sum + Math.abs(level - (two[i] ?? 0)), 0) / one.length / 255;

function correlation(one: Uint8Array, two: Uint8Array, dx: number, dy: number): number {
  const spread = deviation(one) * deviation(two);
  return spread === 0 ? 0 : covariance(one, two, dx, dy) / spread;
}

/** The covariance of two pictures, the second one shifted: of each channel around its own mean, summed. */
function covariance(one: Uint8Array, two: Uint8Array, dx: number, dy: number): number {
  const width = WIDTH - Math.abs(dx);
  const height = HEIGHT - Math.abs(dy);
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) {
    let [a, b, ab] = [0, 0, 0];
    for (let y = Math.max(0, -dy), rows = 0; rows < height; y++, rows++) {
      for (let x = Math.max(0, -dx), columns = 0; columns < width; x++, columns++) {
        const p = one[(y * WIDTH + x) * 3 + channel] ?? 0;
        const q = two[((y + dy) * WIDTH + x + dx) * 3 + channel] ?? 0;
        a += p;
        b += q;
        ab += p * q;
      }
    }
    sum += ab / (width * height) - (a / (width * height)) * (b / (width * height));
  }
  return sum / 3;
}
