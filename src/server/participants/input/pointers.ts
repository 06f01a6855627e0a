import type { InputEvent } from '../../../protocol/input.js';
import { maySeePointers } from '../../model/index.js';
import { tellAll, type Viewer } from '../viewer/viewer.js';

/** Minimum interval between positions of one pointer, ms. */
const INTERVAL_MS = 34;

/** Backlog in a viewer's socket above which positions, which are worthless when late, are dropped. */
const SOCKET_LIMIT_BYTES = 64 << 10;

interface Pointer {
  x: number;
  y: number;
  /** Whether the others have been told. */
  told: boolean;
}

/** Shows viewers where the pointers of the others are, if they may see them. */
export class Pointers {
  readonly #viewers: Iterable<Viewer>;
  readonly #pointers = new Map<Viewer, Pointer>();
  #timer: NodeJS.Timeout | undefined;

  constructor(viewers: Iterable<Viewer>) {
    this.#viewers = viewers;
  }

  /** Records where an input happened, whether or not it is carried out. */
  noted(viewer: Viewer, event: InputEvent): void {
    if (event.type !== 'move' && event.type !== 'button' && event.type !== 'wheel') return;
    this.#pointers.set(viewer, { x: event.x, y: event.y, told: false });
    if (this.#timer === undefined) this.#tell();
  }

  /** A viewer has left, and its pointer disappears. */
  left(viewer: Viewer): void {
    if (!this.#pointers.delete(viewer)) return;
    tellAll(this.#holders(), { type: 'pointer', user_id: viewer.userId });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    const moved = [...this.#pointers].filter(([, pointer]) => !pointer.told);
    if (moved.length === 0) return;
    const holders = [...this.#holders()].filter(({ waitingBytes }) => waitingBytes <= SOCKET_LIMIT_BYTES);
    for (const [viewer, pointer] of moved) {
      pointer.told = true;
      const { x, y } = pointer;
      tellAll(
        holders.filter(holder => holder !== viewer),
        { type: 'pointer', user_id: viewer.userId, x, y },
      );
    }
    this.#timer = setTimeout(() => this.#tell(), INTERVAL_MS);
  }

  *#holders(): Iterable<Viewer> {
    for (const viewer of this.#viewers) if (maySeePointers(viewer.access)) yield viewer;
  }
}
