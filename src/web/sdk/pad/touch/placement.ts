import type { Size } from '../../../media/video/pipeline.js';
import { HAND } from './layout.js';

/** Where an on-screen pad goes: under the picture, or over its lower corners. */
export interface Placement {
  readonly where: 'below' | 'over';
  /** CSS pixels of one unit of the layout. */
  readonly unit: number;
  /** CSS pixels at the lower edge that the picture leaves free. */
  readonly height: number;
}

/** The pad keeps off the lower edge, where the player has its bar and phones their gestures. */
const MARGIN = 40;
/** The same at both sides together. */
const SIDES = 12;
/** Thumbs do not reach farther than on a pad of this size, in CSS pixels for a unit. */
const MAX_UNIT = 2.2;
/** A smaller pad cannot be hit without looking: it rather covers the picture. */
const MIN_UNIT = 1.25;

/** Where the pad goes in an element that shows a picture. */
export function placementIn(element: Size, picture: Size): Placement {
  const across = (element.width - SIDES) / (2 * HAND.width);
  const fits = (height: number) => Math.max(0, Math.min(MAX_UNIT, across, (height - MARGIN) / HAND.height));
  const pictureHeight = picture.width === 0 ? 0 : (element.width * picture.height) / picture.width;
  const below = fits(element.height - pictureHeight);
  if (below >= MIN_UNIT) return { where: 'below', unit: below, height: Math.round(below * HAND.height + MARGIN) };
  return { where: 'over', unit: fits(element.height), height: 0 };
}
