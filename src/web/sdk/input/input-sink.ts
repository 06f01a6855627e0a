import type { InputEvent } from '../../../protocol/input.js';

/** Receives input in the order in which it happened. */
export interface InputSink {
  send(event: InputEvent): void;
  /** Navigates the history of the session's browser; a swipe to the right is back. */
  swipe(direction: 'left' | 'right'): void;
  /** Brings what a paste event has to the session; see SessionClipboard. */
  paste(data: DataTransfer): boolean | Promise<boolean>;
}
