import type { InputEvent } from '../../../protocol/input.js';
import type { Pointers as PointersMessage } from '../../../protocol/generated/schemas.js';
import { maySeePointers } from '../../model/index.js';
import { costOf, Pace } from '../viewer/pace.js';
import { tellAll, type Viewer } from '../viewer/viewer.js';

/** Minimum interval between positions of one pointer, ms. */
const INTERVAL_MS = 34;

/** Backlog in a viewer's socket above which positions, which are worthless when late, are dropped. */
const SOCKET_LIMIT_BYTES = 64 << 10;

/** Messages sent at once to viewers that take one for each pointer; the other pointers follow later, in turn. */
const MAX_SINGLE = 500;

/** About the resolution of the largest display. */
const DIGITS = 4;
const rounded = (fraction: number) => Number(fraction.toFixed(DIGITS));

type Position = PointersMessage['pointers'][number];

/** Shows viewers where the pointers of the others are, if they may see them. */
export class Pointers {
  readonly #viewers: Iterable<Viewer>;
  /** The viewers whose pointers are shown. */
  readonly #shown = new Set<Viewer>();
  /** What is new since the last message, by user. */
  readonly #moved = new Map<string, Position>();
  /** The same for viewers that take one message for each pointer, longest waiting first. */
  readonly #movedSingly = new Map<string, Position>();
  readonly #pace = new Pace(INTERVAL_MS, () => this.#tell());

  constructor(viewers: Iterable<Viewer>) {
    this.#viewers = viewers;
  }

  /** Records where an input happened, whether or not it is carried out. */
  noted(viewer: Viewer, event: InputEvent): void {
    if (event.type !== 'move' && event.type !== 'button' && event.type !== 'wheel') return;
    this.#shown.add(viewer);
    this.#note({ user_id: viewer.userId, x: rounded(event.x), y: rounded(event.y) });
  }

  /** A viewer has left, and its pointer disappears. */
  left(viewer: Viewer): void {
    if (this.#shown.delete(viewer)) this.#note({ user_id: viewer.userId });
  }

  stop(): void {
    this.#pace.stop();
  }

  #note(position: Position): void {
    this.#moved.set(position.user_id, position);
    this.#movedSingly.set(position.user_id, position);
    this.#pace.due();
  }

  /** Returns what it cost. */
  #tell(): number {
    const holders = [...this.#holders()];
    const ready = holders.filter(({ waitingBytes }) => waitingBytes <= SOCKET_LIMIT_BYTES);
    const combined = ready.filter(({ takesPointers }) => takesPointers);
    const pointers = [...this.#moved.values()];
    this.#moved.clear();
    const bytes = tellAll(combined, { type: 'pointers', pointers });
    return costOf(combined.length, bytes) + this.#tellSingly(ready.filter(({ takesPointers }) => !takesPointers));
  }

  #tellSingly(holders: readonly Viewer[]): number {
    let sent = 0;
    for (const [userId, position] of this.#movedSingly) {
      if (sent >= MAX_SINGLE) break;
      this.#movedSingly.delete(userId);
      const others = holders.filter(holder => holder.userId !== userId);
      tellAll(others, { type: 'pointer', ...position });
      sent += others.length;
    }
    if (this.#movedSingly.size > 0) this.#pace.due();
    return sent;
  }

  *#holders(): Iterable<Viewer> {
    for (const viewer of this.#viewers) if (maySeePointers(viewer.access)) yield viewer;
  }
}
