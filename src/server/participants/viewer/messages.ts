import type { ViewerMessage } from './from-viewer.js';
import type { Viewer } from './viewer.js';

/** What is done with each message of a viewer that has asked to join, by its type. */
export type MessageHandlers = {
  readonly [T in ViewerMessage['type']]: (viewer: Viewer, message: Extract<ViewerMessage, { type: T }>) => void;
};

/** Handles a message by the handler of its type. */
export function handleMessage(handlers: MessageHandlers, viewer: Viewer, message: ViewerMessage): void {
  // The compiler does not see that the type of the message is that of its handler.
  (handlers[message.type] as (viewer: Viewer, message: ViewerMessage) => void)(viewer, message);
}
