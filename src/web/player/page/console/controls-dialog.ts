import { element, icon } from '../../../lib/dom.js';
import { defaultBindings, withKey, withSource, type Bindings } from '../../../controls/bindings.js';
import { controlsOf, type Control } from '../../../controls/controls.js';
import type { ConsoleControls, ConsoleKind } from '../../../sdk/index.js';
import { ICONS } from '../icons.js';
import { laidOut } from '../../../controls/gamepad-layout.js';
import { connectedGamepads } from '../../../controls/gamepad.js';
import { storeBindings } from './controls-store.js';
import { keyName } from './key-names.js';
import { nextKey, nextSource } from './press.js';
import { sourceName } from './source-names.js';
import { say, sayThat } from '../../../languages/page.js';

/** Shows which keys and gamepad buttons press the console's controls, and lets the viewer change them. */
export class ControlsDialog {
  readonly #kind: ConsoleKind;
  readonly #controls: ConsoleControls;
  readonly #closed: () => void;
  readonly #dialog = element('dialog', { className: 'controls', tabIndex: -1, autofocus: true });
  /** Functions that display each control's current binding. */
  readonly #cells: (() => void)[] = [];
  readonly #setUp: HTMLButtonElement;
  #waiting = new AbortController();

  /**
   * @param closed called when the dialog was closed
   * @param setUpGamepad called after that, when the viewer wants to set a gamepad up
   */
  constructor(kind: ConsoleKind, controls: ConsoleControls, closed: () => void, setUpGamepad: () => void) {
    this.#kind = kind;
    this.#controls = controls;
    this.#closed = closed;
    const grid = element(
      'div',
      { className: 'grid' },
      ...(['console', 'keyboard', 'gamepad'] as const).map(key => element('b', { textContent: say(key) })),
    );
    for (const control of controlsOf(kind))
      grid.append(
        element('span', { textContent: sayThat(control.name) }),
        this.#keyCell(control),
        this.#sourceCell(control),
      );
    const reset = element('button', {
      type: 'button',
      textContent: say('resetToDefaults'),
      onclick: () => this.#reset(),
    });
    const done = element('button', {
      type: 'button',
      className: 'main',
      textContent: say('done'),
      onclick: () => this.#close(),
    });
    this.#setUp = element('button', { type: 'button', textContent: say('setUpGamepad') });
    this.#setUp.onclick = () => {
      this.#close();
      setUpGamepad();
    };
    this.#dialog.setAttribute('aria-label', say('gameControls'));
    this.#dialog.append(
      element('h2', { textContent: say('gameControls') }),
      element('p', { textContent: say('howToBind') }),
      grid,
      element('div', { className: 'actions' }, this.#setUp, reset, done),
    );
    // Browsers fire `close` late, and what is pressed meanwhile would be lost; but not every browser fires `cancel`
    // every time.
    this.#dialog.addEventListener('cancel', () => this.#close());
    this.#dialog.addEventListener('close', () => this.#dialog.open || this.#close());
    this.#dialog.addEventListener('click', ({ target }) => target === this.#dialog && this.#close());
  }

  open(): void {
    document.body.append(this.#dialog);
    this.#controls.isPaused = true;
    this.#setUp.hidden = connectedGamepads().length === 0;
    this.#show();
    this.#dialog.showModal();
  }

  #close(): void {
    if (!this.#dialog.isConnected) return;
    this.#waiting.abort();
    this.#dialog.close();
    this.#dialog.remove();
    this.#controls.isPaused = false;
    this.#closed();
  }

  #keyCell(control: Control): HTMLElement {
    const current = () => this.#bindingOf(control).keys.map(keyName).join(say('separator'));
    const set = (key: number | null) => this.#set(withKey(this.#controls.bindings, control.id, key));
    return this.#cell(
      say('keyOf', { control: sayThat(control.name) }),
      say('pressKey'),
      current,
      () => set(null),
      (signal, done) =>
        nextKey(signal, key => {
          if (key !== null) set(key);
          done();
        }),
    );
  }

  #sourceCell(control: Control): HTMLElement {
    const current = () => this.#bindingOf(control).pad.map(sourceName).join(say('separator'));
    const set = (source: Parameters<typeof withSource>[2]) =>
      this.#set(withSource(this.#controls.bindings, control.id, source));
    return this.#cell(
      say('gamepadButtonOf', { control: sayThat(control.name) }),
      say('pressButton'),
      current,
      () => set(null),
      (signal, done) => {
        nextKey(signal, key => key === null && done());
        const read = (pad: Gamepad) => laidOut(pad, this.#controls.gamepadLayouts);
        nextSource(signal, read, source => {
          set(source);
          done();
        });
      },
    );
  }

  /**
   * A button that shows a binding and changes it, and one that clears it.
   * @param name of what is bound
   * @param ask shown while it waits for a press
   * @param current the present binding; empty if there is none
   * @param wait waits for the next press, until the signal aborts
   */
  #cell(
    name: string,
    ask: string,
    current: () => string,
    clear: () => void,
    wait: (signal: AbortSignal, done: () => void) => void,
  ): HTMLElement {
    const button = element('button', { type: 'button', className: 'binding' });
    const remove = element('button', { type: 'button', className: 'clear', title: say('clear') }, icon(ICONS.close));
    remove.setAttribute('aria-label', say('clearBinding', { name }));
    const show = () => {
      const bound = current();
      button.textContent = bound === '' ? '–' : bound;
      button.setAttribute('aria-label', say('labelled', { label: name, name: bound === '' ? say('unbound') : bound }));
      button.classList.remove('waiting');
      remove.hidden = bound === '';
    };
    this.#cells.push(show);
    button.onclick = () => {
      this.#stopWaiting();
      button.textContent = ask;
      button.setAttribute('aria-label', say('labelled', { label: name, name: ask }));
      button.classList.add('waiting');
      wait(this.#waiting.signal, () => this.#stopWaiting());
    };
    remove.onclick = () => {
      this.#stopWaiting();
      clear();
      button.focus();
    };
    return element('div', { className: 'cell' }, button, remove);
  }

  #bindingOf({ id }: Control) {
    return this.#controls.bindings[id] ?? { keys: [], pad: [] };
  }

  #set(bindings: Bindings): void {
    this.#controls.bindings = bindings;
    storeBindings(this.#kind, bindings);
    this.#show();
  }

  #reset(): void {
    this.#stopWaiting();
    this.#controls.bindings = defaultBindings(this.#kind);
    storeBindings(this.#kind, null);
    this.#show();
  }

  #stopWaiting(): void {
    this.#waiting.abort();
    this.#waiting = new AbortController();
    this.#show();
  }

  #show(): void {
    for (const show of this.#cells) show();
  }
}
