import { element } from '../../../lib/dom.js';
import type { CommonSession } from '../../../sdk/index.js';
import { droppedItems, type Item } from './folder.js';
import { say } from '../../../languages/page.js';

export interface DropZoneOptions {
  readonly session: CommonSession;
  readonly allowed: () => boolean;
  /** Receives the files and folders, and where on the display they were dropped, in fractions. */
  readonly dropped: (items: Promise<Item[]>, x: number, y: number) => void;
  /** Tells the viewer a sentence. */
  readonly tell: (sentence: string) => void;
}

/** Accepts files that are dragged onto the video. Anywhere else, or without permission, nothing happens. */
export class DropZone {
  readonly element = element(
    'div',
    { className: 'drop', hidden: true },
    element('p', { textContent: say('dropHere') }),
  );
  readonly #options: DropZoneOptions;

  constructor(options: DropZoneOptions) {
    this.#options = options;
    addEventListener('dragenter', event => this.#over(event));
    addEventListener('dragover', event => this.#over(event));
    addEventListener('dragleave', event => {
      if (event.relatedTarget === null) this.element.hidden = true;
    });
    addEventListener('drop', event => this.#drop(event));
  }

  #over(event: DragEvent): void {
    if (!hasFiles(event) && !hasLinks(event)) return;
    // Otherwise the browser would navigate from the player to the file or link.
    event.preventDefault();
    if (!hasFiles(event)) return;
    const wanted = this.#wanted(event);
    this.element.hidden = !wanted;
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = wanted ? 'copy' : 'none';
  }

  #drop(event: DragEvent): void {
    this.element.hidden = true;
    if (!hasFiles(event) && !hasLinks(event)) return;
    event.preventDefault();
    if (namesFiles(event) && this.#wanted(event)) this.#options.tell(say('dropWithheld'));
    const { x, y } = this.#options.session.pointOf(event);
    if (this.#wanted(event)) this.#options.dropped(droppedItems(event.dataTransfer), x, y);
  }

  #wanted(event: DragEvent): boolean {
    return this.#options.allowed() && this.#options.session.pointOf(event).inside;
  }
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

const hasLinks = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('text/uri-list') ?? false;

/** Whether it has links to files in the place of the files, as in WebKitGTK. */
const namesFiles = (event: DragEvent) =>
  !hasFiles(event) && (event.dataTransfer?.getData('text/html').includes('>file:///') ?? false);
