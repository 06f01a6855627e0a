import type { MethodsOf, OperationName } from '../protocol/calls.js';
import type { DialogAnswer } from '../protocol/generated/schemas.js';
import type { MakeCall } from '../protocol/make-call.js';
import type { SessionDialog } from './types.js';

/** The dialogs of a browser. Every method rejects with a BerthError if the service returns an error. */
export interface DialogsClient {
  /** Those that are open, oldest first. */
  list(): Promise<SessionDialog[]>;

  /** Presses the button that agrees, with `text` for a prompt, `username` and `password` where a page wants them. */
  accept(id: string, answer?: DialogAnswer): Promise<void>;

  /** Presses the other button: Cancel, Stay, or for a certificate Back. */
  dismiss(id: string): Promise<void>;
}

/** Answers the dialogs of a browser through its session's address. */
export const remoteDialogs = (call: MakeCall<OperationName>): DialogsClient =>
  Object.freeze<DialogsClient & Record<MethodsOf<'dialogs'>, unknown>>({
    list: () => call('dialogs.list', []),
    accept: async (id, answer) => void (await call('dialogs.accept', [id, answer])),
    dismiss: async id => void (await call('dialogs.dismiss', [id])),
  });
