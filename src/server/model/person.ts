/** What others see of a user. */
export interface Person {
  /** Undefined: it has none, and is called a guest. */
  readonly name?: string;
  /** `#rrggbb`; undefined: pages choose one. */
  readonly color?: string;
}

/** Most characters of a name. */
export const NAME_MAX = 40;

/** Characters that are not shown, or change the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

const COLOR = /^#[\da-f]{6}$/i;

/**
 * A name as others may see it: without what is not shown or changes the direction of text, with single spaces, and at
 * most 40 characters long; undefined if nothing is left.
 */
export function shownName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  // Whatever is longer is cut before it is looked at.
  const seen = name
    .slice(0, 4 * NAME_MAX)
    .replace(UNSEEN, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const shown = Array.from(seen).slice(0, NAME_MAX).join('').trim();
  return shown === '' ? undefined : shown;
}

/** A colour, `#rrggbb`; undefined if it is none. */
export const shownColor = (color: unknown): string | undefined =>
  typeof color === 'string' && COLOR.test(color) ? color.toLowerCase() : undefined;
