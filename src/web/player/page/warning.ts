import { element } from '../../lib/dom.js';
import type { CloseWarningEvent } from '../../sdk/index.js';
import { say } from '../../languages/page.js';

const SENTENCES = { inactive: 'endsInactive', absolute: 'endsAbsolute', offline: 'endsOffline' } as const;

/** The sentence with the remaining time. */
export function warningText(type: CloseWarningEvent['type'], secondsLeft: number): string {
  const minutes = Math.floor(secondsLeft / 60);
  const seconds = String(secondsLeft % 60).padStart(2, '0');
  const time = minutes > 0 ? say('minutes', { time: `${minutes}:${seconds}` }) : say('seconds', { count: secondsLeft });
  return say(SENTENCES[type], { time });
}

/** When the time left is read aloud again, in seconds. */
const SAID_AT = [60, 30, 10];

/** The banner that counts down to the session's end. */
export class Warning {
  readonly element = element('div', { className: 'warning', hidden: true });
  readonly #text = element('span');
  /** What is read aloud: not each second. */
  readonly #said = element('span', { className: 'unseen' });
  readonly #stay: HTMLButtonElement;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param stay called when the user asks to stay */
  constructor(stay: () => void) {
    this.#stay = element('button', { type: 'button', textContent: say('stillHere'), onclick: stay });
    this.#text.setAttribute('role', 'timer');
    this.#said.setAttribute('role', 'alert');
    this.element.append(this.#text, this.#stay, this.#said);
  }

  /** Shows or removes a warning. */
  show(warning: CloseWarningEvent | null): void {
    clearInterval(this.#timer);
    this.element.hidden = warning === null;
    this.#said.textContent = '';
    if (warning === null) return;
    let said = Infinity;
    const end = performance.now() + warning.deadline.delay;
    const tick = () => {
      const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      const text = warningText(warning.type, left);
      if (this.#text.textContent !== text) this.#text.textContent = text;
      if (said !== Infinity && !SAID_AT.some(at => left <= at && at < said)) return;
      said = left;
      this.#said.textContent = text;
    };
    this.#stay.hidden = warning.type !== 'inactive';
    this.#timer = setInterval(tick, 250);
    tick();
  }
}
