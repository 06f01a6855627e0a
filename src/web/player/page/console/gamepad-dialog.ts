import { defaultBindings } from '../../../controls/bindings.js';
import { controlsOf, type Control } from '../../../controls/controls.js';
import { layoutOf, withLayout } from '../../../controls/gamepad-layout.js';
import type { PadSource } from '../../../controls/pad-source.js';
import { element } from '../../../lib/dom.js';
import type { ConsoleControls, ConsoleKind } from '../../../sdk/index.js';
import { storeLayouts } from './controls-store.js';
import { sourcesOf } from './press.js';
import { say, sayThat } from '../../../languages/page.js';

/** A control of the console, and the input of the standard gamepad that presses it. */
interface Step {
  readonly control: Control;
  readonly source: PadSource;
}

/** What is asked for: each control of the console by the input that is bound to it first. */
function stepsOf(kind: ConsoleKind, { bindings }: ConsoleControls): Step[] {
  const defaults = defaultBindings(kind);
  const taken = new Set<PadSource>();
  return controlsOf(kind).flatMap(control => {
    const [source] = [...(bindings[control.id]?.pad ?? []), ...(defaults[control.id]?.pad ?? [])];
    if (source === undefined || taken.has(source)) return [];
    taken.add(source);
    return [{ control, source }];
  });
}

/** Whether neither the browser nor the viewer has told where a gamepad has what the console needs. */
export function isUnknown(kind: ConsoleKind, controls: ConsoleControls, gamepad: Gamepad): boolean {
  if (gamepad.mapping === 'standard') return false;
  const layout = layoutOf(gamepad, controls.gamepadLayouts) ?? {};
  return !stepsOf(kind, controls).every(({ source }) => Object.hasOwn(layout, source));
}

/** Asks for one button of a gamepad after the other, and remembers them for all gamepads of its kind. */
export class GamepadDialog {
  readonly #controls: ConsoleControls;
  readonly #gamepad: Gamepad;
  readonly #closed: () => void;
  readonly #steps: readonly Step[];
  /** What was pressed in each step so far; null: it was skipped. */
  readonly #pressed: (PadSource | null)[] = [];
  readonly #over = new AbortController();
  readonly #ask = element('p', { className: 'ask' });
  readonly #count = element('p');
  readonly #back = element('button', { type: 'button', textContent: say('back') });
  readonly #dialog = element('dialog', { className: 'controls set-up', tabIndex: -1, autofocus: true });

  /** @param closed called when the dialog was closed */
  constructor(kind: ConsoleKind, controls: ConsoleControls, gamepad: Gamepad, closed: () => void) {
    this.#controls = controls;
    this.#gamepad = gamepad;
    this.#closed = closed;
    this.#steps = stepsOf(kind, controls);
    this.#back.onclick = () => {
      this.#pressed.pop();
      this.#show();
    };
    const skip = element('button', { type: 'button', textContent: say('skip'), onclick: () => this.#next(null) });
    const cancel = element('button', { type: 'button', textContent: say('cancel'), onclick: () => this.#close() });
    this.#ask.setAttribute('role', 'status');
    this.#dialog.setAttribute('aria-label', say('setUpGamepad'));
    this.#dialog.append(
      element('h2', { textContent: say('setUpGamepad') }),
      element('p', { className: 'pad', textContent: gamepad.id }),
      this.#ask,
      this.#count,
      element('div', { className: 'actions' }, this.#back, skip, cancel),
    );
    this.#dialog.addEventListener('cancel', () => this.#close());
    this.#dialog.addEventListener('close', () => this.#close());
  }

  open(): void {
    document.body.append(this.#dialog);
    this.#controls.isPaused = true;
    this.#show();
    this.#dialog.showModal();
    sourcesOf(this.#over.signal, this.#gamepad.index, source => {
      // Whoever presses a button twice has not seen yet that another one is wanted.
      if (!this.#pressed.includes(source)) this.#next(source);
    });
  }

  #next(source: PadSource | null): void {
    this.#pressed.push(source);
    if (this.#pressed.length < this.#steps.length) return this.#show();
    this.#remember();
    this.#close();
  }

  #show(): void {
    const at = this.#pressed.length;
    const control = this.#steps[at]?.control;
    if (control !== undefined) {
      const ask = 'axis' in control.action ? 'pushControl' : 'pressControl';
      this.#ask.textContent = say(ask, { control: sayThat(control.name) });
    }
    this.#count.textContent = say('stepOf', { step: at + 1, total: this.#steps.length });
    this.#back.disabled = at === 0;
  }

  #remember(): void {
    const { id } = this.#gamepad;
    const before = this.#controls.gamepadLayouts;
    const now = Object.fromEntries(this.#steps.map(({ source }, i) => [source, this.#pressed[i] ?? null]));
    const layouts = withLayout(before, id, { ...layoutOf(this.#gamepad, before), ...now });
    this.#controls.gamepadLayouts = layouts;
    storeLayouts(layouts);
  }

  #close(): void {
    if (!this.#dialog.isConnected) return;
    this.#over.abort();
    this.#dialog.close();
    this.#dialog.remove();
    this.#controls.isPaused = false;
    this.#closed();
  }
}
