import { element } from '../../../lib/dom.js';
import type { CommonSession } from '../../../sdk/index.js';
import { droppedItems, type Item } from './folder.js';

export interface DropZoneOptions {
  readonly session: CommonSession;
  readonly allowed: () => boolean;
  /** Receives the files and folders, and where on the display they were dropped, in fractions. */
  readonly dropped: (items: Promise<Item[]>, x: number, y: number) => void;
}

/** Accepts files that are dragged onto the video. Anywhere else, or without permission, nothing happens. */
export class DropZone {
  readonly element = element(
    'div',
    { className: 'drop', hidden: true },
    element('p', { textContent: 'Drop the files here' }),
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
    if (!hasFiles(event)) return;
    const wanted = this.#wanted(event);
    this.element.hidden = !wanted;
    // Otherwise the browser would navigate from the player to the file.
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = wanted ? 'copy' : 'none';
  }

  #drop(event: DragEvent): void {
    this.element.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    const { x, y } = this.#options.session.pointOf(event);
    if (this.#wanted(event)) this.#options.dropped(droppedItems(event.dataTransfer), x, y);
  }

  #wanted(event: DragEvent): boolean {
    return this.#options.allowed() && this.#options.session.pointOf(event).inside;
  }
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
