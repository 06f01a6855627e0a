import { element } from '../../../lib/dom.js';
import type { Discs } from '../../../sdk/index.js';
import { say } from '../../../languages/page.js';

/** The bar's choice of a game's disc, for games that have several. */
export class DiscChoice {
  readonly element = element('select', { className: 'disc', title: say('disc'), hidden: true });
  #discs: Discs | null = null;

  /** @param change puts a disc in; resolves with whether that succeeded */
  constructor(change: (disc: number) => Promise<boolean>) {
    this.element.setAttribute('aria-label', say('disc'));
    this.element.onchange = () =>
      void change(Number(this.element.value)).then(isDone => isDone || this.show(this.#discs));
  }

  /** The disc inside has changed: by whomever, all viewers are told. */
  show(discs: Discs | null): void {
    this.#discs = discs;
    this.element.hidden = discs === null;
    if (discs === null) return;
    const options = discs.labels.map((label, i) => new Option(textOf(label, i + 1), String(i + 1)));
    this.element.replaceChildren(...options);
    this.element.value = String(discs.disc);
  }
}

/** What a disc is called, after its number where that is not just the same. */
function textOf(label: string, disc: number): string {
  const name = say('discNumber', { number: disc });
  return label === `Disc ${disc}` ? name : say('labelled', { label: name, name: label });
}
