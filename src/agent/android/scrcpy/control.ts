import type { AndroidKeyCode, AndroidKeyEventMeta, ScrcpyControlMessageWriter } from '@yume-chan/scrcpy';
import {
  AndroidKeyEventAction,
  AndroidMotionEventAction,
  AndroidMotionEventButton,
  ScrcpyControlMessageType,
} from '@yume-chan/scrcpy';
import type { PictureSize } from '../video/messages.js';

export type KeyCode = AndroidKeyCode;
export type TouchAction = 'down' | 'move' | 'up';

/** A place on the picture in pixels, and the picture's size, without which the device would ignore it. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: PictureSize;
}

/** Number of moves waiting for the device above which further ones are dropped. */
const MOVES_MAX = 32;

/** Input for a device, over a scrcpy server's control socket. What is lost with the server is lost. */
export class Control {
  readonly #writer: ScrcpyControlMessageWriter;
  #waiting = 0;
  #sequence = 0n;

  constructor(writer: ScrcpyControlMessageWriter) {
    this.#writer = writer;
  }

  touch(action: TouchAction, pointer: number, { x, y, size }: Place): void {
    if (action === 'move' && this.#waiting > MOVES_MAX) return;
    const actions = {
      down: AndroidMotionEventAction.Down,
      move: AndroidMotionEventAction.Move,
      up: AndroidMotionEventAction.Up,
    };
    this.#sent(
      this.#writer.injectTouch({
        action: actions[action],
        pointerId: BigInt(pointer),
        pointerX: x,
        pointerY: y,
        videoWidth: size.width,
        videoHeight: size.height,
        pressure: action === 'up' ? 0 : 1,
        actionButton: AndroidMotionEventButton.None,
        buttons: AndroidMotionEventButton.None,
      }),
    );
  }

  key(down: boolean, keyCode: KeyCode, repeat: number, metaState: number): void {
    const action = down ? AndroidKeyEventAction.Down : AndroidKeyEventAction.Up;
    this.#sent(this.#writer.injectKeyCode({ action, keyCode, repeat, metaState: metaState as AndroidKeyEventMeta }));
  }

  /** Scrolls by clicks of a wheel, positive right and up, -16 to 16. */
  scroll({ x, y, size }: Place, right: number, up: number): void {
    this.#sent(
      this.#writer.injectScroll({
        pointerX: x,
        pointerY: y,
        videoWidth: size.width,
        videoHeight: size.height,
        scrollX: right,
        scrollY: up,
        buttons: 0,
      }),
    );
  }

  /** Back; turns the screen on if it is off. */
  back(down: boolean): void {
    this.#sent(this.#writer.backOrScreenOn(down ? AndroidKeyEventAction.Down : AndroidKeyEventAction.Up));
  }

  /** Types characters that the device's keyboard has. */
  type(text: string): void {
    this.#sent(this.#writer.injectText(text));
  }

  /** Sets the clipboard, and pastes it if wanted; resolves when the device has done so. */
  async setClipboard(content: string, paste: boolean): Promise<void> {
    this.#sequence += 1n;
    await this.#writer.setClipboard({ sequence: this.#sequence, paste, content });
  }

  /** Asks the device for its clipboard. */
  askClipboard(): void {
    // Type and copy key, none.
    this.#sent(this.#writer.write(Uint8Array.of(ScrcpyControlMessageType.GetClipboard, 0)));
  }

  /** Rotates the device by 90 degrees. */
  rotate(): void {
    this.#sent(this.#writer.rotateDevice());
  }

  panel(which: 'notifications' | 'settings' | 'none'): void {
    const { expandNotificationPanel, expandSettingPanel, collapseNotificationPanel } = this.#writer;
    const open = {
      notifications: expandNotificationPanel,
      settings: expandSettingPanel,
      none: collapseNotificationPanel,
    };
    this.#sent(open[which].call(this.#writer));
  }

  /** Restarts the encoder, which begins with a key frame. */
  reset(): void {
    this.#sent(this.#writer.resetVideo());
  }

  #sent(written: Promise<unknown>): void {
    this.#waiting++;
    written.catch(() => undefined).finally(() => this.#waiting--);
  }
}
