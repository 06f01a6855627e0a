import type { InputEvent } from '../../../protocol/input.js';

/** Where input goes: to the session, in the order in which it happened. */
export interface InputSink {
  input(event: InputEvent): void;
  /** Goes through the history of the session's browser; to the right is back. */
  swipe(direction: 'left' | 'right'): void;
  /** Hands text to the session's clipboard. */
  clipboard(text: string): void;
}
