import type { MethodsOf } from '../../protocol/calls.js';
import type { Dialogs as Message } from '../../protocol/generated/schemas.js';
import type { MakeCall } from '../../protocol/make-call.js';

/** A question in the browser of a session that waits for an answer. */
export interface Dialog {
  /** Its ID, for `dialogs.accept` and `dialogs.dismiss`. */
  readonly id: string;
  /**
   * `alert`, `confirm`, `prompt`: of a page's script; `beforeunload`: whether to leave a page; `auth`: a page wants a name
   * and a password; `certificate`: the page's server cannot prove who it is.
   */
  readonly type: 'alert' | 'confirm' | 'prompt' | 'beforeunload' | 'auth' | 'certificate';
  /** The tab, as in `tabs`. */
  readonly tabId: number;
  /** Who asks, such as `https://example.com`; empty for pages without an address of their own. */
  readonly origin: string;
  /** What a page asks, or the name of a certificate's error; comes from pages. */
  readonly message: string;
  /** What is in the field of a prompt. */
  readonly defaultValue?: string;
}

/** What is entered in a dialog. */
export interface DialogAnswer {
  /** For `prompt`; without, it keeps what is in its field. */
  text?: string;
  /** For `auth`, with `password`. */
  username?: string;
  /** For `auth`, with `username`. */
  password?: string;
}

/**
 * The dialogs of a browser, which people can also answer on its display. Needs the role `control`. The methods reject
 * with a CallError: `dialog_not_found` if the dialog is not open any more, `dialog_not_answered` if the browser does not
 * take the answer, and others.
 */
export interface SessionDialogs {
  /** Those that are open, oldest first. */
  list(): Promise<readonly Dialog[]>;

  /**
   * Presses the button that agrees: OK, Leave, Sign in, Proceed.
   * @param id the dialog's ID
   * @param answer what is entered in it
   */
  accept(id: string, answer?: DialogAnswer): Promise<void>;

  /**
   * Presses the other button: Cancel, Stay, or for a certificate Back; of an alert the only one.
   * @param id the dialog's ID
   */
  dismiss(id: string): Promise<void>;
}

/** Creates the dialogs object, whose methods are calls to the session. */
export const remoteDialogs = (call: MakeCall): SessionDialogs =>
  Object.freeze<SessionDialogs & Record<MethodsOf<'dialogs'>, unknown>>({
    list: async () => dialogsOf(await call('dialogs.list', [])),
    accept: async (id, answer) => void (await call('dialogs.accept', [checked(id), answer])),
    dismiss: async id => void (await call('dialogs.dismiss', [checked(id)])),
  });

/** The dialogs of a message, as the SDK gives them. */
export const dialogsOf = (dialogs: Message['dialogs']): readonly Dialog[] =>
  Object.freeze(
    dialogs.map(({ id, type, tab_id: tabId, origin, message, default_value: defaultValue }) =>
      Object.freeze({ id, type, tabId, origin, message, ...(defaultValue === undefined ? {} : { defaultValue }) }),
    ),
  );

/** @throws TypeError if it is not an ID */
function checked(id: unknown): string {
  if (typeof id !== 'string' || id === '') throw new TypeError('id must be the ID of a dialog');
  return id;
}
