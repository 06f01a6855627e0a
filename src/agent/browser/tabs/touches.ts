import type { InputEvent } from '../../../protocol/input.js';
import type { TouchEvent, TouchPhase, TouchPoint } from '../../../protocol/touch.js';

/** A touch in pixels of the display. */
export interface Finger {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export interface TouchesOptions {
  /** Size of the display in pixels, if known. */
  readonly displaySize: () => { width: number; height: number } | undefined;
  /** Whether a page that takes touches is at a place: not a menu, another window, or a page of the browser's own. */
  readonly isPage: (finger: Finger, place: TouchPoint) => Promise<boolean>;
  readonly touch: (phase: TouchPhase, fingers: readonly Finger[]) => void;
  /** Moves the pointer, or presses or releases its left button, for a viewer. */
  readonly point: (user: number, event: InputEvent) => void;
}

/** Who touches: a viewer, and the link that it came by. */
interface Owner {
  readonly link: object;
  readonly user: number;
}

type State =
  | { type: 'idle' }
  /** A single finger, of which it is not known yet whether a page is under it; `since`: all events of it so far. */
  | { type: 'starting'; owner: Owner; point: TouchPoint; since: [TouchEvent, ...TouchEvent[]] }
  | { type: 'page'; owner: Owner }
  /** The finger is the mouse with its left button held; null: it is lifted, but others are not. */
  | { type: 'mouse'; owner: Owner; held: TouchPoint | null };

/** The most events that are kept until it is known what they are for. */
const SINCE_MAX = 50;

/**
 * The session's single touch screen: the first viewer to touch it owns it until all its touches have ended. Pages get
 * touches; a single finger that starts elsewhere is the mouse.
 */
export class Touches {
  readonly #options: TouchesOptions;
  #state: State = { type: 'idle' };

  constructor(options: TouchesOptions) {
    this.#options = options;
  }

  /** Handles touches of a viewer, identified by its link and number. */
  take(link: object, user: number, event: TouchEvent): void {
    if (this.#state.type === 'idle') return this.#first({ link, user }, event);
    const { owner } = this.#state;
    if (owner.link !== link || owner.user !== user) return;
    switch (this.#state.type) {
      case 'starting':
        return keep(this.#state.since, event);
      case 'page':
        return this.#touch(event);
      case 'mouse':
        return this.#drag(this.#state, event);
    }
  }

  /** The link is gone, and with it its viewers' touches. */
  lost(link: object): void {
    const state = this.#state;
    if (state.type === 'idle' || state.owner.link !== link) return;
    this.#state = { type: 'idle' };
    if (state.type === 'page') this.#options.touch('cancel', []);
  }

  #first(owner: Owner, event: TouchEvent): void {
    const [point, second] = event.points;
    if (event.phase !== 'start' || point === undefined) return;
    if (second !== undefined) {
      this.#state = { type: 'page', owner };
      return this.#touch(event);
    }
    const state: Extract<State, { type: 'starting' }> = { type: 'starting', owner, point, since: [event] };
    this.#state = state;
    const [finger] = this.#fingers([point]);
    const isPage = finger === undefined ? Promise.resolve(false) : this.#options.isPage(finger, point);
    void isPage.catch(() => false).then(isPage => this.#started(state, isPage));
  }

  #started(state: Extract<State, { type: 'starting' }>, isPage: boolean): void {
    if (this.#state !== state) return;
    const { owner, point, since } = state;
    const [start, ...rest] = since;
    if (isPage) {
      this.#state = { type: 'page', owner };
      this.#touch(start);
    } else {
      this.#state = { type: 'mouse', owner, held: point };
      this.#press(owner, true, point);
    }
    // It may end these touches, and start others.
    for (const event of rest) this.take(owner.link, owner.user, event);
  }

  #touch({ phase, points }: TouchEvent): void {
    if (points.length === 0) this.#state = { type: 'idle' };
    const fingers = this.#fingers(points);
    if (fingers.length === points.length) this.#options.touch(phase, fingers);
  }

  #drag({ owner, held }: Extract<State, { type: 'mouse' }>, { points }: TouchEvent): void {
    const now = points.find(({ id }) => id === held?.id) ?? null;
    this.#state = points.length === 0 ? { type: 'idle' } : { type: 'mouse', owner, held: now };
    if (now !== null) this.#options.point(owner.user, { type: 'move', x: now.x, y: now.y });
    else if (held !== null) this.#press(owner, false, held);
  }

  #press({ user }: Owner, down: boolean, { x, y }: TouchPoint): void {
    this.#options.point(user, { type: 'button', button: 0, down, x, y });
  }

  #fingers(points: readonly TouchPoint[]): Finger[] {
    const size = this.#options.displaySize();
    if (size === undefined) return [];
    return points.map(({ id, x, y }) => ({ id, x: x * (size.width - 1), y: y * (size.height - 1) }));
  }
}

/** Keeps an event for later; of moves, only the latest. */
function keep(since: TouchEvent[], event: TouchEvent): void {
  const isMove = event.phase === 'move' && since.at(-1)?.phase === 'move';
  // The end must be the last, whatever else is lost.
  if (isMove || since.length >= SINCE_MAX) since.pop();
  since.push(event);
}
