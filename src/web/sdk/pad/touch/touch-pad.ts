import type { ConsoleKind } from '../../../../protocol/generated/schemas.js';
import type { Texts } from '../../../languages/texts.js';
import { element, listenUntil } from '../../../lib/dom.js';
import type { View } from '../../view/view.js';
import { controlsOf, type Control } from '../../../controls/controls.js';
import { stateOf, type PadState } from '../../../controls/pad-state.js';
import { draw, type Amounts, type Drawing } from './drawing.js';
import { gripAt, pressed, type Finger, type Zone } from './fingers.js';
import { HALF_SIZE } from './layout.js';
import { LAYOUTS } from './layouts.js';
import { placementIn } from './placement.js';
import { TOUCH_PAD_STYLES } from './styles.js';

/** Duration of the vibration when a button is pressed, in milliseconds. */
const FELT_MS = 8;
const NOTHING: Amounts = new Map();

/** An on-screen pad, played by touch. */
export class TouchPad {
  readonly #view: View;
  readonly #changed: () => void;
  readonly #controls: readonly Control[];
  readonly #element = element('div', { className: 'pad', hidden: true });
  readonly #drawings: readonly Drawing[];
  readonly #fingers = new Map<number, Finger>();
  readonly #listening = new AbortController();
  readonly #leave: () => void;
  #zones: readonly Zone[] = [];
  #amounts: Amounts = NOTHING;

  /** @param changed called when something else is held */
  constructor(view: View, kind: ConsoleKind, changed: () => void) {
    this.#view = view;
    this.#changed = changed;
    this.#controls = controlsOf(kind);
    const halves = (['left', 'right'] as const).map(side => this.#half(kind, side));
    this.#drawings = halves.flatMap(({ drawings }) => drawings);
    this.#element.append(...halves.map(half => half.element));
    this.#element.setAttribute('role', 'group');
    const [leave, stopTelling] = [
      view.overlay(this.#element, TOUCH_PAD_STYLES, () => this.#place()),
      view.inLanguage(texts => this.#name(texts)),
    ];
    this.#leave = () => (leave(), stopTelling());
    this.#listen();
  }

  get state(): PadState {
    return stateOf(this.#controls, id => this.#amounts.get(id) ?? 0);
  }

  get shown(): boolean {
    return !this.#element.hidden;
  }

  set shown(shown: boolean) {
    if (shown === this.shown) return;
    this.#element.hidden = !shown;
    this.#letGo();
    this.#place();
  }

  stop(): void {
    this.#listening.abort();
    this.#view.bottom = 0;
    this.#leave();
  }

  #half(kind: ConsoleKind, side: 'left' | 'right') {
    const drawings = LAYOUTS[kind][side].map(draw);
    const half = element('div', { className: 'half' }, ...drawings.map(drawing => drawing.element));
    half.style.width = `calc(${HALF_SIZE.width} * var(--unit))`;
    half.style.height = `calc(${HALF_SIZE.height} * var(--unit))`;
    return { element: half, drawings };
  }

  #name(texts: Texts): void {
    // Where its parts are has no direction.
    Object.assign(this.#element, { lang: texts.language, dir: 'ltr' });
    this.#element.setAttribute('aria-label', texts.say('pad'));
    const controls = new Map(this.#controls.map(control => [control.id, control]));
    for (const { part, element } of this.#drawings) {
      const { name } = part.type === 'button' ? (controls.get(part.control) ?? {}) : part;
      element.setAttribute('aria-label', name?.(texts) ?? '');
    }
  }

  #listen(): void {
    const listen = listenUntil(this.#listening.signal);
    const on = (type: string, handler: (event: PointerEvent) => void) => listen(this.#element, type, handler);
    on('pointerdown', event => {
      event.preventDefault();
      this.#zones = this.#measure();
      // A touch that slides off the pad still belongs to it.
      this.#element.setPointerCapture(event.pointerId);
      const at = { x: event.clientX, y: event.clientY };
      this.#finger(event.pointerId, { grip: gripAt(this.#zones, at), at });
    });
    on('pointermove', ({ pointerId, clientX, clientY }) => {
      const finger = this.#fingers.get(pointerId);
      if (finger !== undefined) this.#finger(pointerId, { ...finger, at: { x: clientX, y: clientY } });
    });
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'])
      on(type, event => this.#finger(event.pointerId, null));
    // Prevents everything that browsers do with touches: scrolling, zooming, selecting, context menus, emulated mouse
    // events.
    const keepOff = { passive: false };
    for (const type of ['touchstart', 'touchmove', 'contextmenu', 'dblclick']) {
      listen(this.#element, type, event => event.cancelable && event.preventDefault(), keepOff);
    }
    listen(window, 'blur', () => this.#letGo());
    listen(document, 'visibilitychange', () => document.hidden && this.#letGo());
  }

  #finger(id: number, finger: Finger | null): void {
    if (finger === null) this.#fingers.delete(id);
    else this.#fingers.set(id, finger);
    this.#hold(pressed(this.#zones, this.#fingers.values()));
  }

  #letGo(): void {
    this.#fingers.clear();
    this.#hold(NOTHING);
  }

  #hold(amounts: Amounts): void {
    const before = this.#amounts;
    const isSame = before.size === amounts.size && [...amounts].every(([id, amount]) => before.get(id) === amount);
    if (isSame) return;
    this.#amounts = amounts;
    for (const drawing of this.#drawings) drawing.show(amounts);
    if ([...amounts.keys()].some(id => !before.has(id))) feel();
    this.#changed();
  }

  #measure(): Zone[] {
    return this.#drawings.map(drawing => ({ part: drawing.part, rect: drawing.element.getBoundingClientRect() }));
  }

  #place(): void {
    const { where, unit, height } = placementIn(this.#view.size, this.#view.display);
    this.#element.classList.toggle('over', where === 'over');
    this.#element.style.setProperty('--unit', `${unit}px`);
    this.#view.bottom = this.shown ? height : 0;
    // Active touches are at a different place on the pad now.
    this.#zones = this.#measure();
  }
}

/** A short vibration, if the device supports it and the browser allows it. */
function feel(): void {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(FELT_MS);
}
