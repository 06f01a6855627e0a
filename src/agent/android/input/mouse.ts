import { AndroidKeyCode } from '@yume-chan/scrcpy';
import type { InputEvent } from '../../../protocol/input.js';
import type { Control } from '../scrcpy/control.js';
import type { PictureSize } from '../video/messages.js';
import { MOUSE_FINGER, placeOn, type Fingers, type Toucher } from './fingers.js';

export type MouseEvent = Extract<InputEvent, { type: 'move' | 'button' | 'wheel' }>;

/** Numbers of buttons as viewers send them. */
const LEFT = 0;
const MIDDLE = 1;
const RIGHT = 2;
const BACK = 3;

/** Pixels of a click of a wheel, and the most clicks that one message has. */
const CLICK = 120;
const CLICKS_MAX = 16;

const clicks = (pixels: number) => Math.min(CLICKS_MAX, Math.max(-CLICKS_MAX, pixels / CLICK));

/** A mouse on a device: the left button is a finger, right is back, middle is home, the wheel scrolls. */
export class Mouse {
  readonly #fingers: Fingers;
  readonly #control: () => Control | undefined;
  #dragging: Toucher | undefined;

  constructor(fingers: Fingers, control: () => Control | undefined) {
    this.#fingers = fingers;
    this.#control = control;
  }

  input(toucher: Toucher, event: MouseEvent, size: PictureSize): void {
    const { type, x, y } = event;
    if (type === 'wheel') return this.#control()?.scroll(placeOn(size, event), clicks(event.dx), -clicks(event.dy));
    if (type === 'move') {
      if (this.#isDragging(toucher)) this.#fingers.touch(toucher, [{ id: MOUSE_FINGER, x, y }], size);
      return;
    }
    const { button, down } = event;
    if (button === LEFT) return this.#left(toucher, down, event, size);
    // Let go at once, so that nothing is held by a viewer that goes away.
    if (!down) return;
    for (const pressed of [true, false]) {
      if (button === RIGHT || button === BACK) this.#control()?.back(pressed);
      if (button === MIDDLE) this.#control()?.key(pressed, AndroidKeyCode.AndroidHome, 0, 0);
    }
  }

  /** Viewers that this is true for no longer hold the button. */
  left(isGone: (toucher: Toucher) => boolean): void {
    if (this.#dragging !== undefined && isGone(this.#dragging)) this.#dragging = undefined;
  }

  #left(toucher: Toucher, down: boolean, { x, y }: { x: number; y: number }, size: PictureSize): void {
    if (!down && !this.#isDragging(toucher)) return;
    this.#dragging = down ? toucher : undefined;
    // Where it is lifted, too: moves directly before are not sent.
    this.#fingers.touch(toucher, [{ id: MOUSE_FINGER, x, y }], size);
    if (!down) this.#fingers.touch(toucher, [], size);
  }

  #isDragging({ link, user }: Toucher): boolean {
    return this.#dragging?.link === link && this.#dragging.user === user;
  }
}
