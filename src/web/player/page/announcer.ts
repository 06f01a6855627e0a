import { element } from '../../lib/dom.js';

/** Tells sentences to those who hear the page; others see the same elsewhere. */
export class Announcer {
  readonly element = element('p', { className: 'unseen' });

  constructor() {
    this.element.setAttribute('role', 'status');
  }

  /** The newest sentence is in the place of the one before. */
  readonly tell = (sentence: string): void => {
    this.element.textContent = sentence;
  };
}
