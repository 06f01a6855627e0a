import type { TouchPoint } from '../../../protocol/touch.js';
import type { Place, TouchAction } from '../scrcpy/control.js';
import type { PictureSize } from '../video/messages.js';

/** Number of the finger that stands for a mouse's left button; viewers' fingers have lower ones. */
export const MOUSE_FINGER = 256;

/** Who touches: a viewer, by its number on its link. */
export interface Toucher {
  readonly link: object;
  readonly user: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const isSame = (a: Toucher, b: Toucher) => a.link === b.link && a.user === b.user;
const isAt = (a: Point | undefined, b: Point) => a?.x === b.x && a.y === b.y;

/** The pixel at fractions of a picture: 0 is the first one, 1 the last. */
export function placeOn(size: PictureSize, { x, y }: Point): Place {
  const pixel = (fraction: number, side: number) => Math.round(fraction * (side - 1));
  return { x: pixel(x, size.width), y: pixel(y, size.height), size };
}

/**
 * The fingers on the device's screen. One viewer has the screen from its first finger to its last. Fingers are lifted
 * when the screen's size changes under them, and count again when they touch it anew.
 */
export class Fingers {
  readonly #inject: (action: TouchAction, finger: number, place: Place) => void;
  readonly #freed: () => void;
  #owner: Toucher | undefined;
  readonly #down = new Map<number, Point>();
  /** Lifted here, and not yet by their viewer. */
  readonly #lifted = new Set<number>();

  /** `freed` is called when the last finger is up. */
  constructor(inject: (action: TouchAction, finger: number, place: Place) => void, freed: () => void) {
    this.#inject = inject;
    this.#freed = freed;
  }

  /** Whether a finger is down. */
  get isHeld(): boolean {
    return this.#down.size > 0;
  }

  /** Sets a viewer's fingers, at fractions of the picture. Ignored while another viewer has the screen. */
  touch(toucher: Toucher, points: readonly TouchPoint[], size: PictureSize): void {
    if (this.#owner !== undefined && !isSame(this.#owner, toucher)) return;
    const ids = new Set(points.map(({ id }) => id));
    for (const id of this.#lifted) if (!ids.has(id)) this.#lifted.delete(id);
    for (const id of [...this.#down.keys()]) if (!ids.has(id)) this.#up(id, size);
    this.#owner = points.length > 0 ? toucher : undefined;
    for (const { id, x, y } of points) {
      if (this.#lifted.has(id)) continue;
      const before = this.#down.get(id);
      if (isAt(before, { x, y })) continue;
      this.#down.set(id, { x, y });
      this.#inject(before === undefined ? 'down' : 'move', id, placeOn(size, { x, y }));
    }
    this.#tellIfFree();
  }

  /** Lifts all fingers of the viewers that this is true for. Nothing is left of them. */
  left(isGone: (toucher: Toucher) => boolean, size: PictureSize | undefined): void {
    if (this.#owner === undefined || !isGone(this.#owner)) return;
    this.#liftAll(size);
    this.#owner = undefined;
    this.#lifted.clear();
    this.#tellIfFree();
  }

  /** The picture's size has changed: all fingers are lifted, since their positions were those of the old one. */
  resized(size: PictureSize): void {
    const ids = [...this.#down.keys()];
    this.#liftAll(size);
    for (const id of ids) this.#lifted.add(id);
    this.#tellIfFree();
  }

  /** The device has forgotten them. */
  forget(): void {
    for (const id of this.#down.keys()) this.#lifted.add(id);
    this.#down.clear();
    this.#tellIfFree();
  }

  #liftAll(size: PictureSize | undefined): void {
    for (const id of [...this.#down.keys()]) this.#up(id, size);
  }

  #up(id: number, size: PictureSize | undefined): void {
    const last = this.#down.get(id);
    this.#down.delete(id);
    if (last !== undefined && size !== undefined) this.#inject('up', id, placeOn(size, last));
  }

  #tellIfFree(): void {
    if (this.#down.size === 0) this.#freed();
  }
}
