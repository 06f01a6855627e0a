import { STATE_SLOTS } from '../../../../protocol/console.js';
import { connectedGamepads } from '../../../controls/gamepad.js';
import { element } from '../../../lib/dom.js';
import type { ConsoleControls, ConsoleSession, GameState, Seat } from '../../../sdk/index.js';
import { attempt, saveScreenshot } from '../actions.js';
import type { Bar } from '../bar.js';
import { rememberFocus } from '../focus.js';
import { ICONS } from '../icons.js';
import { notice } from '../notice.js';
import { ControlsDialog } from './controls-dialog.js';
import { storedBindings, storedLayouts } from './controls-store.js';
import { DiscChoice } from './disc-choice.js';
import { GamepadDialog, isUnknown } from './gamepad-dialog.js';
import { GamepadNotices } from './gamepad-notices.js';
import { SeatButton } from './seat-button.js';
import { say } from '../../../languages/page.js';

/** The bar's controls for a console's game. */
export class ConsoleTools {
  readonly #session: ConsoleSession;
  readonly #bar: Bar;
  readonly #show: (note: HTMLElement) => void;
  readonly #pause: HTMLButtonElement;
  readonly #fastForward: HTMLButtonElement;
  readonly #disc: DiscChoice;
  readonly #seat: SeatButton;
  #touch: HTMLButtonElement | undefined;

  /** @param show displays a notice to the viewer */
  constructor(session: ConsoleSession, bar: Bar, show: (note: HTMLElement) => void) {
    this.#session = session;
    this.#bar = bar;
    this.#show = show;
    const { console: game } = session;
    bar.leaveToGames();
    const slot = element(
      'select',
      { title: say('stateSlots') },
      ...Array.from({ length: STATE_SLOTS }, (_, i) => new Option(say('slot', { number: i }), String(i))),
    );
    slot.setAttribute('aria-label', say('stateSlots'));
    const add = (name: string, path: string, call: () => Promise<unknown>) =>
      bar.add(name, path, () => void this.#attempt(call));
    add(say('saveState'), ICONS.save, async () => {
      const number = Number(slot.value);
      await game.saveState(number);
      show(notice(say('savedInSlot', { number })));
    });
    add(say('loadState'), ICONS.load, () => game.loadState(Number(slot.value)));
    bar.insert(slot);
    this.#pause = add(say('pause'), ICONS.pause, () => game.pause(!session.gameState.paused));
    this.#fastForward = add(say('fastForward'), ICONS.fast, () => game.fastForward(!session.gameState.fastForward));
    add(say('reset'), ICONS.reset, () => game.reset());
    this.#disc = new DiscChoice(disc => this.#attempt(() => game.disc(disc)));
    bar.insert(this.#disc.element);
    add(say('screenshot'), ICONS.picture, () => saveScreenshot(session));
    this.#seat = new SeatButton(to => void this.#attempt(() => session[to]()));
    bar.insert(this.#seat.element);
    if (session.controls !== null) this.#addControls(session.controls);
    this.showState(session.gameState);
    this.showSeats(session.seats);
  }

  /** The game was paused or resumed, or its speed or disc has changed: by whomever, all viewers are told. */
  showState({ paused, fastForward, discs }: GameState): void {
    this.#pause.setAttribute('aria-pressed', String(paused));
    this.#fastForward.setAttribute('aria-pressed', String(fastForward));
    this.#disc.show(discs);
    this.#bar.show();
  }

  /** The seats have changed. */
  showSeats(seats: readonly Seat[]): void {
    this.#seat.show(seats, this.#players);
    this.#showTouch();
  }

  /** The players that this viewer plays, in the order of its gamepads. */
  get #players(): number[] {
    const { seats, userId } = this.#session;
    return seats.filter(seat => seat.userId === userId).map(({ player }) => player);
  }

  #addControls(controls: ConsoleControls): void {
    const { kind } = this.#session;
    controls.bindings = storedBindings(kind) ?? controls.bindings;
    controls.gamepadLayouts = storedLayouts() ?? controls.gamepadLayouts;
    let goBack = () => this.#session.focus();
    const closed = () => {
      // It takes no focus while it is hidden.
      this.#bar.show();
      goBack();
    };
    const unknown = (gamepad: Gamepad) => isUnknown(kind, controls, gamepad);
    const setUp = (gamepad: Gamepad) => {
      const wasUnknown = unknown(gamepad);
      goBack = rememberFocus(this.#session);
      this.#session.blur();
      new GamepadDialog(kind, controls, gamepad, () => {
        closed();
        if (wasUnknown && !unknown(gamepad)) notices.announce(gamepad);
      }).open();
    };
    const dialog = new ControlsDialog(kind, controls, closed, () => {
      const gamepads = connectedGamepads();
      const [gamepad = gamepads[0]] = gamepads.filter(unknown);
      if (gamepad !== undefined) setUp(gamepad);
    });
    this.#bar.add(say('gameControls'), ICONS.gamepad, () => {
      goBack = rememberFocus(this.#session);
      this.#session.blur();
      dialog.open();
    });
    if (matchMedia('(any-pointer: coarse)').matches) {
      this.#touch = this.#bar.add(say('onScreenPad'), ICONS.touchPad, () => {
        controls.touchPad = controls.isTouchPadShown ? 'off' : 'on';
        this.#showTouch();
      });
    }
    const takeSeat = () => void this.#attempt(() => this.#session.takeSeat());
    const notices = new GamepadNotices({
      players: () => this.#players,
      isUnknown: unknown,
      setUp,
      show: this.#show,
      takeSeat,
    });
  }

  /** Only players have a pad. */
  #showTouch(): void {
    if (this.#touch === undefined) return;
    this.#touch.hidden = this.#players.length === 0;
    this.#touch.setAttribute('aria-pressed', String(this.#session.controls?.isTouchPadShown));
  }

  #attempt(call: () => Promise<unknown>): Promise<boolean> {
    return attempt(this.#session, call, this.#show);
  }
}
