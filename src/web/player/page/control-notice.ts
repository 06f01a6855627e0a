import type { Access } from '../../sdk/index.js';
import { notice } from './notice.js';
import { say } from '../../languages/page.js';

/** Announces when the viewer loses or regains control of the session. */
export class ControlNotice {
  readonly #show: (note: HTMLElement) => void;
  #control: boolean | null = null;
  #note: HTMLElement | null = null;

  constructor(show: (note: HTMLElement) => void) {
    this.#show = show;
  }

  update({ control }: Access): void {
    const sentence = controlSentence(this.#control, control);
    this.#control = control;
    if (sentence === null) return;
    this.#note?.remove();
    this.#note = notice(sentence);
    this.#show(this.#note);
  }
}

/** The announcement when a viewer's control changes; null if nothing relevant has changed. */
export function controlSentence(before: boolean | null, now: boolean): string | null {
  if (before === now || (before === null && now)) return null;
  if (now) return say('hasControl');
  return say(before === null ? 'watchesOnly' : 'lostControl');
}
