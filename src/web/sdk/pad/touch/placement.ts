import type { Size } from '../../../lib/geometry.js';
import { HALF_SIZE } from './layout.js';

/** Where an on-screen pad is placed: below the video, or over its lower corners. */
export interface Placement {
  readonly where: 'below' | 'over';
  /** CSS pixels per layout unit. */
  readonly unit: number;
  /** CSS pixels at the lower edge that the video leaves free. */
  readonly height: number;
}

/** Margin at the lower edge, which the player needs for its bar and phones for their gestures. */
const MARGIN = 40;
/** Margin at both sides together. */
const SIDES = 12;
/** Maximum size, in CSS pixels per unit: thumbs do not reach farther. */
const MAX_UNIT = 2.2;
/** Minimum size: a smaller pad cannot be used without looking, so the pad covers the video instead. */
const MIN_UNIT = 1.25;

/** Places the pad in an element that shows a video. */
export function placementIn(element: Size, picture: Size): Placement {
  const across = (element.width - SIDES) / (2 * HALF_SIZE.width);
  const fits = (height: number) => Math.max(0, Math.min(MAX_UNIT, across, (height - MARGIN) / HALF_SIZE.height));
  const pictureHeight = picture.width === 0 ? 0 : (element.width * picture.height) / picture.width;
  const below = fits(element.height - pictureHeight);
  if (below >= MIN_UNIT) return { where: 'below', unit: below, height: Math.round(below * HALF_SIZE.height + MARGIN) };
  return { where: 'over', unit: fits(element.height), height: 0 };
}
