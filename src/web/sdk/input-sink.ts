import type { InputEvent } from '../../protocol/input.js';

/** Where input goes: to the session, in the order in which it happened. */
export interface InputSink {
  input(event: InputEvent): void;
  /** Hands text to the session's clipboard. */
  clipboard(text: string): void;
}
