import { element, icon } from '../../lib/dom.js';
import type { Access, CommonSession } from '../../sdk/index.js';
import { pasteInto, toggleFullscreen } from './actions.js';
import { ICONS } from './icons.js';
import { say } from '../../languages/page.js';

/** The bar hides after this time without a pointer on it. */
const HIDE_AFTER_MS = 2500;
const QUALITY_INTERVAL_MS = 1000;

/** A small bar at the lower edge: only its handle is visible until it is needed. */
export class Bar {
  readonly element = element('div', { className: 'bar' });
  readonly #session: CommonSession;
  readonly #tools: HTMLElement;
  readonly #mute = this.#button(say('mute'), ICONS.sound, () => this.#toggleMute());
  readonly #volume = element('input', { type: 'range', min: '0', max: '1', step: '0.05' });
  readonly #quality = element('span', { className: 'quality' });
  readonly #rtt = element('span', { className: 'rtt', dir: 'auto' });
  /** Draws other viewers' pointers; for those who may see them. */
  readonly #cursors = this.#button(say('othersPointers'), ICONS.cursors, () => this.#toggleCursors());
  /** Tools that are useless for games. */
  readonly #typing: HTMLElement[];
  #lastVolume = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: CommonSession) {
    this.#session = session;
    this.#volume.valueAsNumber = session.volume;
    this.#volume.setAttribute('aria-label', say('volume'));
    this.#volume.oninput = () => this.#setVolume(this.#volume.valueAsNumber);
    this.#quality.append(...[1, 2, 3].map(() => element('i')));
    const quality = element('span', { className: 'connection' }, this.#quality, this.#rtt);
    quality.setAttribute('role', 'img');
    this.#cursors.hidden = true;
    this.#cursors.setAttribute('aria-pressed', String(session.showCursors));
    this.#typing = [this.#cursors, ...this.#forTyping()];
    const tools = element(
      'div',
      { className: 'tools' },
      quality,
      this.#mute,
      this.#volume,
      ...this.#typing,
      ...this.#fullscreen(),
    );
    this.#tools = tools;
    tools.setAttribute('role', 'toolbar');
    const grip = element('button', {
      type: 'button',
      className: 'grip',
      title: say('showBar'),
      onclick: () => this.show(),
    });
    grip.setAttribute('aria-label', say('showBar'));
    this.element.append(tools, grip);
    this.element.addEventListener('pointerenter', () => this.show());
    this.element.addEventListener('pointermove', () => this.show());
    this.element.addEventListener('focusin', () => this.show());
    this.element.addEventListener('keydown', event => event.key === 'Escape' && session.focus());
    tools.addEventListener('keydown', event => this.#walk(event));
    setInterval(() => this.#showQuality(quality), QUALITY_INTERVAL_MS);
    this.#showQuality(quality);
    this.show();
  }

  /** Shows the bar for a while. */
  show(): void {
    this.element.classList.add('open');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hide(), HIDE_AFTER_MS);
  }

  /** Moves the keyboard focus to the bar; Escape moves it back to the session. */
  focus(): void {
    this.show();
    this.element.querySelector<HTMLElement>('.tools button')?.focus();
  }

  /** Adds a button. */
  add(name: string, path: string, clicked: (event: MouseEvent) => void): HTMLButtonElement {
    const button = this.#button(name, path, clicked);
    this.#tools.append(button);
    return button;
  }

  /** Adds another element. */
  insert(tool: HTMLElement): void {
    this.#tools.append(tool);
  }

  /** Removes the tools for pointers and text. */
  leaveToGames(): void {
    for (const tool of this.#typing) tool.remove();
  }

  /** The viewer's permissions have changed. */
  allow({ admin, roles }: Access): void {
    this.#cursors.hidden = !admin && !roles.includes('cursor_data');
  }

  /** The arrow keys go from tool to tool, as in other toolbars; those that need them themselves keep them. */
  #walk(event: KeyboardEvent): void {
    const { key, target } = event;
    if (!(target instanceof HTMLButtonElement) || event.ctrlKey || event.altKey || event.metaKey) return;
    const tools = [...this.#tools.querySelectorAll<HTMLElement>('button:enabled, input, select')].filter(
      tool => tool.offsetParent !== null,
    );
    const forward = getComputedStyle(this.#tools).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const at = tools.indexOf(target);
    const to = { ArrowLeft: at - 1, ArrowRight: at - 1, Home: 0, End: -1, [forward]: (at + 1) % tools.length }[key];
    if (to === undefined) return;
    event.preventDefault();
    tools.at(to)?.focus();
  }

  #hide(): void {
    if (this.element.matches(':hover') || this.element.querySelector('.tools :focus-visible')) this.show();
    else this.element.classList.remove('open');
  }

  #forTyping(): HTMLElement[] {
    const keyboard = this.#button(say('keyboard'), ICONS.keyboard, () => this.#toggleKeyboard());
    return [
      ...(matchMedia('(any-pointer: coarse)').matches ? [keyboard] : []),
      ...('clipboard' in navigator
        ? [this.#button(say('paste'), ICONS.paste, () => void pasteInto(this.#session))]
        : []),
    ];
  }

  #fullscreen(): HTMLElement[] {
    if (!document.fullscreenEnabled) return [];
    const fullscreen = this.#button(say('fullscreen'), ICONS.fullscreen, () => void toggleFullscreen().catch(() => {}));
    document.addEventListener('fullscreenchange', () => {
      const inside = document.fullscreenElement !== null;
      label(
        fullscreen,
        say(inside ? 'leaveFullscreen' : 'fullscreen'),
        inside ? ICONS.exitFullscreen : ICONS.fullscreen,
      );
    });
    return [fullscreen];
  }

  #button(name: string, path: string, clicked: (event: MouseEvent) => void): HTMLButtonElement {
    const button = element('button', { type: 'button' });
    label(button, name, path);
    // Keeps the keyboard focus on the video, and a phone's keyboard open.
    button.addEventListener('pointerdown', event => event.preventDefault());
    button.onclick = clicked;
    return button;
  }

  #toggleKeyboard(): void {
    if (this.#session.isFocused) this.#session.blur();
    else this.#session.focus();
  }

  #toggleCursors(): void {
    this.#session.showCursors = !this.#session.showCursors;
    this.#cursors.setAttribute('aria-pressed', String(this.#session.showCursors));
  }

  #toggleMute(): void {
    if (this.#session.volume > 0) {
      this.#lastVolume = this.#session.volume;
      this.#setVolume(0);
    } else {
      this.#setVolume(this.#lastVolume);
    }
  }

  #setVolume(volume: number): void {
    this.#session.volume = volume;
    this.#volume.valueAsNumber = volume;
    label(this.#mute, say(volume > 0 ? 'mute' : 'unmute'), volume > 0 ? ICONS.sound : ICONS.muted);
  }

  #showQuality(box: HTMLElement): void {
    const { rtt } = this.#session;
    this.#quality.dataset['bars'] = String(qualityOf(rtt).bars);
    this.#rtt.textContent = rtt === null ? '' : say('milliseconds', { count: Math.round(rtt) });
    box.title = qualityText(rtt);
    box.setAttribute('aria-label', qualityText(rtt));
  }
}

function label(button: HTMLButtonElement, name: string, path: string): void {
  button.replaceChildren(icon(path));
  button.title = name;
  button.setAttribute('aria-label', name);
}

/** Rates a connection by its round trip, milliseconds; null: unknown. */
function qualityOf(rtt: number | null): { bars: 0 | 1 | 2 | 3; text: string } {
  if (rtt === null) return { bars: 0, text: say('connection') };
  const count = Math.round(rtt);
  if (rtt < 70) return { bars: 3, text: say('connectionGood', { count }) };
  if (rtt < 180) return { bars: 2, text: say('connectionFair', { count }) };
  return { bars: 1, text: say('connectionSlow', { count }) };
}

/** Describes a connection by its round trip, milliseconds; null: unknown. */
export const qualityText = (rtt: number | null): string => qualityOf(rtt).text;
