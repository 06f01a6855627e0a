import type { CallArguments, CallName } from '../../../../protocol/calls.js';
import { STATE_SLOTS } from '../../../../protocol/console.js';
import type { GameState, ToViewer } from '../../../../protocol/generated/schemas.js';
import { element } from '../../../lib/dom.js';
import type { Session } from '../../../sdk/session.js';
import type { ConsolePads } from '../../../sdk/pad/console-pads.js';
import type { Bar } from '../bar.js';
import { ICONS } from '../icons.js';
import { notice } from '../notice.js';
import { ControlsDialog } from './controls-dialog.js';
import { storedBindings } from './controls-store.js';
import { GamepadNotices } from './gamepad-notices.js';
import { savePicture } from '../save-picture.js';
import { SeatButton } from './seat-button.js';

/** The bar's controls for a console's game; absent if the session is not a console. */
export class ConsoleTools {
  readonly #session: Session;
  readonly #bar: Bar;
  readonly #show: (note: HTMLElement) => void;
  #seat: SeatButton | undefined;
  #touch: HTMLButtonElement | undefined;
  /** Displays the state of the game. */
  #showGame: (state: GameState) => void = () => undefined;

  /** `show` displays a notice to the viewer. */
  constructor(session: Session, bar: Bar, show: (note: HTMLElement) => void) {
    this.#session = session;
    this.#bar = bar;
    this.#show = show;
  }

  /** Handles a control message. */
  message(message: ToViewer): void {
    const { pads } = this.#session.input;
    if (message.type === 'welcome' && pads !== null && this.#seat === undefined) this.#open(pads);
    if (message.type === 'game') this.#showGame(message);
    if (message.type === 'seats') {
      this.#seat?.show(message.seats, this.#session.userId);
      this.#showTouch(pads);
    }
  }

  #open(pads: ConsolePads): void {
    this.#bar.leaveToGames();
    const slot = element(
      'select',
      { title: 'Slot of saved states' },
      ...Array.from({ length: STATE_SLOTS }, (_, i) => new Option(`Slot ${i}`, String(i))),
    );
    slot.setAttribute('aria-label', 'Slot of saved states');
    this.#bar.add('Save state', ICONS.save, () => {
      const number = Number(slot.value);
      void this.#call('console.saveState', [number]).then(
        done => done && this.#show(notice(`Saved in slot ${number}.`)),
      );
    });
    this.#bar.add('Load state', ICONS.load, () => void this.#call('console.loadState', [Number(slot.value)]));
    this.#bar.insert(slot);
    const pause = this.#switch('Pause', ICONS.pause, 'console.pause');
    const fast = this.#switch('Fast-forward', ICONS.fast, 'console.fastForward');
    this.#showGame = ({ paused, fast_forward }) => {
      pause.setAttribute('aria-pressed', String(paused));
      fast.setAttribute('aria-pressed', String(fast_forward));
      this.#bar.show();
    };
    this.#bar.add('Reset', ICONS.reset, () => void this.#call('console.reset', []));
    this.#bar.add('Screenshot', ICONS.picture, () => void this.#try(() => savePicture(this.#session)));
    this.#seat = new SeatButton((method, args) => void this.#call(method, args));
    this.#bar.insert(this.#seat.element);
    this.#openPads(pads);
  }

  #openPads(pads: ConsolePads): void {
    pads.bindings = storedBindings(pads.kind) ?? pads.bindings;
    const dialog = new ControlsDialog(pads, () => this.#session.view.focus());
    this.#bar.add('Controls', ICONS.gamepad, () => {
      this.#session.input.release();
      dialog.open();
    });
    if (matchMedia('(any-pointer: coarse)').matches) {
      this.#touch = this.#bar.add('On-screen pad', ICONS.touchPad, () => {
        pads.touchPad = pads.isTouchPadShown ? 'off' : 'on';
        this.#showTouch(pads);
      });
      this.#showTouch(pads);
    }
    const takeSeat = () => void this.#call('takeSeat', []);
    new GamepadNotices({ players: () => pads.players, show: this.#show, takeSeat });
  }

  /** Only players have a pad. */
  #showTouch(pads: ConsolePads | null): void {
    if (this.#touch === undefined || pads === null) return;
    this.#touch.hidden = pads.players.length === 0;
    this.#touch.setAttribute('aria-pressed', String(pads.isTouchPadShown));
  }

  /** A shared switch: it displays the state that all viewers are told. */
  #switch(name: string, path: string, method: 'console.pause' | 'console.fastForward'): HTMLButtonElement {
    const button = this.#bar.add(
      name,
      path,
      () => void this.#call(method, [button.getAttribute('aria-pressed') !== 'true']),
    );
    button.setAttribute('aria-pressed', 'false');
    return button;
  }

  #call<M extends CallName>(method: M, args: CallArguments<M>): Promise<boolean> {
    return this.#try(() => this.#session.call(method, args));
  }

  /** Makes a call and displays why it failed; returns whether it succeeded. */
  async #try(act: () => Promise<unknown>): Promise<boolean> {
    this.#session.view.focus();
    try {
      await act();
      return true;
    } catch (error) {
      this.#show(notice((error as Error).message));
      return false;
    }
  }
}
