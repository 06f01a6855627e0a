import type { Sentence } from '../../../languages/texts.js';

/** Width and height of each half of an on-screen pad, in units. */
export const HALF_SIZE = { width: 100, height: 130 } as const;

/** The position of a part, in units: its centre, and its size. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Controls that a direction presses. */
export type Sides = Readonly<Record<'up' | 'down' | 'left' | 'right', string>>;

/** A button's label: text, or lines in 24 by 24 units. */
export type Face = { readonly text: string } | { readonly lines: string };

export interface ButtonPart extends Place {
  readonly type: 'button';
  /** The control that it presses, by its ID. */
  readonly control: string;
  readonly face: Face;
  readonly colour?: string;
}

export interface DirectionPart extends Place {
  /** A cross has eight directions, a stick is continuous. */
  readonly type: 'cross' | 'stick';
  readonly name: Sentence;
  readonly sides: Sides;
}

export type Part = ButtonPart | DirectionPart;

/** An on-screen pad: the parts under each thumb. */
export type Layout = Readonly<Record<'left' | 'right', readonly Part[]>>;

const PILL_HEIGHT = 15;

const square = (x: number, y: number, size: number): Place => ({ x, y, width: size, height: size });

/** A round button. */
export const round = (
  control: string,
  face: string | Face,
  x: number,
  y: number,
  size: number,
  colour?: string,
): ButtonPart => ({
  type: 'button',
  control,
  face: typeof face === 'string' ? { text: face } : face,
  ...square(x, y, size),
  ...(colour === undefined ? {} : { colour }),
});

/** An oblong button. */
export const pill = (control: string, text: string, x: number, y: number, width: number): ButtonPart => ({
  ...round(control, text, x, y, PILL_HEIGHT),
  width,
});

export const cross = (x: number, y: number, size: number): DirectionPart => ({
  type: 'cross',
  name: ({ say }) => say('cross'),
  sides: { up: 'up', down: 'down', left: 'left', right: 'right' },
  ...square(x, y, size),
});

/** @param id prefix of its controls' IDs */
export const stick = (id: string, name: Sentence, x: number, y: number, size: number): DirectionPart => ({
  type: 'stick',
  name,
  sides: { up: `${id}-up`, down: `${id}-down`, left: `${id}-left`, right: `${id}-right` },
  ...square(x, y, size),
});
