import { colours, scaled, trimmed, type Colour, type Picture } from './picture.js';

/** Properties of a picture. */
export interface Content {
  /** Whether there is anything at all: more than one colour, or one that is not black. */
  readonly is: 'content' | 'one colour' | 'black';
  /** Share of pixels that differ from the most frequent colour, 0 to 1. */
  readonly share: number;
  /** Number of colours, in steps of 16 levels per channel. */
  readonly colours: number;
}

/** Fewer pixels than this are noise. */
const CONTENT_SHARE = 0.001;
const BLACK: Colour = [0, 0, 0];
/** Darker levels count as black: an encoder's black varies a little. */
const BLACK_LEVEL = 24;

/** Examines the picture within the black borders of a different aspect ratio. */
export function contentOf(picture: Picture): Content {
  const inner = trimmed(picture, BLACK, BLACK_LEVEL);
  if (inner === null) return { is: 'black', share: 0, colours: 1 };
  // A few bright pixels on black are content, however small their bounding box is.
  const of = inner.width * inner.height < 0.5 * picture.width * picture.height ? picture : inner;
  const { counts } = colours(of);
  const most = Math.max(...counts.values());
  const share = 1 - most / (of.width * of.height);
  const seen = [...counts.values()].filter(count => count >= 0.0002 * of.width * of.height).length;
  if (share >= CONTENT_SHARE) return { is: 'content', share, colours: seen };
  return { is: of === picture ? 'black' : 'one colour', share, colours: seen };
}

const LOOK = { width: 160, height: 120 };
const CHANGE_LEVEL = 32;

/** Share of pixels that differ between two pictures, 0 to 1. */
export function difference(a: Picture, b: Picture): number {
  const one = scaled(a, LOOK.width, LOOK.height).data;
  const two = scaled(b, LOOK.width, LOOK.height).data;
  let changed = 0;
  for (let at = 0; at < one.length; at += 3) {
    const isOther = [0, 1, 2].some(
      channel => Math.abs((one[at + channel] ?? 0) - (two[at + channel] ?? 0)) > CHANGE_LEVEL,
    );
    if (isOther) changed++;
  }
  return changed / (LOOK.width * LOOK.height);
}
