import { fromHelper, toHelper, USER_BYTES, WINDOW_KINDS, WINDOWS_MAX } from '../../../protocol/display-helper.js';
import type { FromAgent, SessionWindow } from '../../../protocol/generated/schemas.js';
import { CallFailure, type CallHandlers } from '../../link/calls.js';

/** Milliseconds to wait until a call has shown its effect: a page may ask before its window closes. */
const EFFECT_TIMEOUT = 1000;

/** What Chromium appends to the titles of its windows. */
const SUFFIX = / [-–—] Chromium$/u;

/** Control and bidirectional characters, halves of surrogates, line separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

type WindowCall = 'windows.list' | 'windows.activate' | 'windows.close' | 'windows.setBounds';

export interface WindowsOptions {
  /** Sends the display helper a message. */
  readonly send: (body: Uint8Array) => void;
  readonly tell: (message: FromAgent) => void;
}

/** The windows of the browser, as the window manager has them. */
export class Windows {
  readonly calls: CallHandlers<WindowCall>;
  readonly #options: WindowsOptions;
  readonly #waiting = new Set<() => void>();
  /** What has come of a list that is not complete. */
  #parts: SessionWindow[] = [];
  /** Undefined: not known yet. */
  #windows: SessionWindow[] | undefined;

  constructor(options: WindowsOptions) {
    this.#options = options;
    const { send } = options;
    this.calls = {
      'windows.list': () => this.#windows ?? [],
      'windows.activate': id =>
        this.#until(this.#get(id).active, () => {
          send(toHelper.activateWindow.encode({ id }, USER_BYTES));
          return () => this.#find(id)?.active !== false;
        }),
      'windows.close': id => {
        this.#get(id);
        return this.#until(false, () => {
          send(toHelper.closeWindow.encode({ id }, USER_BYTES));
          return () => this.#find(id) === undefined;
        });
      },
      'windows.setBounds': (id, bounds) => {
        const before = this.#get(id);
        // Those fill the display, as those of a kiosk must.
        if (before.kind === 'browser') throw new CallFailure('not_supported', 'Windows with tabs fill the display.');
        return this.#until(isPlacedAt(before, bounds), () => {
          send(toHelper.placeWindow.encode({ id, ...bounds }, USER_BYTES));
          return () => {
            const now = this.#find(id);
            return now === undefined || !isPlacedAt(now, before);
          };
        });
      },
    };
  }

  /** Takes `user u32, window` of the display helper: one window of the list. */
  take(body: Buffer): void {
    const message = fromHelper.window.decode(body, USER_BYTES);
    if (message === null || message.count > WINDOWS_MAX) return;
    const { count, index, kind: code, ...window } = message;
    const kind = WINDOW_KINDS[code];
    if (index === 0) this.#parts = [];
    if (count > 0 && kind !== undefined && index === this.#parts.length) {
      const title = titleOf(body.toString('utf8', USER_BYTES + fromHelper.window.bytes));
      this.#parts.push({ ...window, kind, title });
    }
    if (this.#parts.length !== count) return;
    this.#windows = this.#parts;
    this.#parts = [];
    for (const message of this.current) this.#options.tell(message);
    for (const look of [...this.#waiting]) look();
  }

  /** The messages that a new link must get. */
  get current(): readonly FromAgent[] {
    return this.#windows === undefined ? [] : [{ type: 'windows', windows: this.#windows }];
  }

  #find(id: number): SessionWindow | undefined {
    return this.#windows?.find(window => window.id === id);
  }

  #get(id: number): SessionWindow {
    const window = this.#find(id);
    if (window === undefined) throw new CallFailure('window_not_found', 'There is no window with this ID.');
    return window;
  }

  /** Resolves when the list shows the effect of what `act` asks for, or does not in time. */
  async #until(isDone: boolean, act: () => () => boolean): Promise<void> {
    if (isDone) return;
    const isShown = act();
    await new Promise<void>(resolve => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      const look = () => isShown() && done();
      const timer = setTimeout(done, EFFECT_TIMEOUT);
      this.#waiting.add(look);
    });
  }
}

type Bounds = Pick<SessionWindow, 'x' | 'y' | 'width' | 'height'>;

const isPlacedAt = (window: Bounds, { x, y, width, height }: Bounds) =>
  window.x === x && window.y === y && window.width === width && window.height === height;

/** A title as it can be shown anywhere: pages choose theirs. */
const titleOf = (text: string) => text.replace(UNPRINTABLE, ' ').replace(SUFFIX, '').trim();
