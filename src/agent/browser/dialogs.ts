import type { DialogOutcome } from '../../protocol/extension.js';
import type { Dialog, DialogAnswer, Dialogs as Message } from '../../protocol/generated/schemas.js';
import type { MethodsOf } from '../../protocol/calls.js';
import { CallFailure, type CallHandlers } from '../link/calls.js';
import type { ExtensionChannel } from './extension/extension-channel.js';

const GONE = 'This dialog is not open any more.';

/** What people type to go on to a page whose certificate is not valid, where Chromium's own page lets them. */
const GO_ON = 'thisisunsafe';

/** Milliseconds within which Chromium then begins to load the page. */
const GO_ON_TIME = 2000;

/** What can be entered in dialogs. */
const FIELDS: Partial<Record<Dialog['type'], readonly (keyof DialogAnswer)[]>> = {
  prompt: ['text'],
  auth: ['username', 'password'],
};

export interface DialogsOptions {
  readonly extension: Pick<ExtensionChannel, 'call' | 'on'>;
  readonly tell: (message: Message) => void;
  /** Presses and releases the keys of a text in the window with the focus. */
  readonly press: (text: string) => void;
}

/** The dialogs that are open in the browser, and answers to them. */
export class Dialogs {
  readonly calls: CallHandlers<`dialogs.${MethodsOf<'dialogs'>}`> = {
    'dialogs.list': () => [...this.#open],
    'dialogs.accept': (id, answer = {}) => this.#accept(id, answer),
    'dialogs.dismiss': id => this.#answer(this.#find(id), null),
  };
  readonly #options: DialogsOptions;
  /** Called on every change. */
  readonly #waiters = new Set<() => void>();
  #open: readonly Dialog[] = [];

  constructor(options: DialogsOptions) {
    this.#options = options;
    const { extension } = options;
    extension.on('dialogs.onChanged', ([dialogs]) => this.#changed(dialogs as Dialog[]));
    // The extension knows those that were open before this agent.
    extension.on('connected', () => void extension.call('dialogs.tell', []).catch(() => undefined));
  }

  /** What a new link must be told. */
  get current(): Message {
    return { type: 'dialogs', dialogs: this.#open };
  }

  /** The browser ended, and its dialogs with it. */
  lost(): void {
    this.#changed([]);
  }

  #changed(dialogs: readonly Dialog[]): void {
    if (dialogs.length === 0 && this.#open.length === 0) return;
    this.#open = dialogs;
    this.#options.tell(this.current);
    for (const changed of this.#waiters) changed();
  }

  #find(id: string): Dialog {
    const dialog = this.#open.find(each => each.id === id);
    if (dialog === undefined) throw new CallFailure('dialog_not_found', GONE);
    return dialog;
  }

  async #accept(id: string, answer: DialogAnswer): Promise<void> {
    const dialog = this.#find(id);
    const fields: readonly string[] = FIELDS[dialog.type] ?? [];
    const other = Object.keys(answer).find(field => !fields.includes(field));
    if (other !== undefined)
      throw new CallFailure('invalid_arguments', `There is no field for ${other} in a dialog of type ${dialog.type}.`);
    if (dialog.type === 'auth' && (answer.username === undefined || answer.password === undefined))
      throw new CallFailure('invalid_arguments', 'A dialog of type auth is accepted with username and password.');
    await this.#answer(dialog, answer);
    if (dialog.type === 'certificate') await this.#goOn(dialog);
  }

  async #answer({ id, type }: Dialog, answer: DialogAnswer | null): Promise<void> {
    const outcome = (await this.#options.extension.call('dialogs.answer', [id, answer])) as DialogOutcome;
    // Whether a page is gone on to shows later.
    if (outcome === 'gone' || type !== 'certificate') this.#changed(this.#open.filter(each => each.id !== id));
    if (outcome === 'gone') throw new CallFailure('dialog_not_found', GONE);
  }

  /** Goes on to the page behind a certificate's dialog, which is in the foreground now. */
  async #goOn({ id }: Dialog): Promise<void> {
    this.#options.press(GO_ON);
    let timer: NodeJS.Timeout | undefined;
    let changed: () => void = () => undefined;
    const closed = new Promise<boolean>(resolve => {
      changed = () => !this.#open.some(each => each.id === id) && resolve(true);
      timer = setTimeout(() => resolve(false), GO_ON_TIME);
    });
    this.#waiters.add(changed);
    const goesOn = await closed;
    this.#waiters.delete(changed);
    clearTimeout(timer);
    if (!goesOn) throw new CallFailure('dialog_not_answered', 'The browser does not go on to this page.');
  }
}
