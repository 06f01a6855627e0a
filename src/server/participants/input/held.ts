import type { InputEvent } from '../../../protocol/input.js';

/** Keys and buttons that one viewer may hold at once: more than any hand does, so that a hostile viewer fills no memory. */
const MAX_HELD = 64;

type Position = { x: number; y: number };
type Held = { type: 'key'; keysym: number } | { type: 'button'; button: number };

const nameOf = (held: Held): string => (held.type === 'key' ? `k${held.keysym}` : `b${held.button}`);

interface Hands {
  held: Map<string, Held>;
  position: Position;
  /** Whether fingers are on the screen. */
  touching: boolean;
}

const holdsSomething = (hands: Hands | undefined) => hands !== undefined && (hands.held.size > 0 || hands.touching);

/**
 * Which keys and buttons each viewer holds, and whether it has fingers on the screen, so that the service can let go
 * of them for a viewer that vanished.
 */
export class HeldInputs {
  readonly #users = new Map<number, Hands>();

  /** Whether the user holds anything. */
  holds(user: number): boolean {
    return holdsSomething(this.#users.get(user));
  }

  /** Whether the user holds a button, or has a finger on the screen. */
  drags(user: number): boolean {
    const hands = this.#users.get(user);
    if (hands === undefined) return false;
    return hands.touching || [...hands.held.values()].some(({ type }) => type === 'button');
  }

  get isEmpty(): boolean {
    for (const hands of this.#users.values()) if (holdsSomething(hands)) return false;
    return true;
  }

  /**
   * Notes an input of a user; false when it is not to be carried out: the user holds too much, or lets go of a button
   * that it does not hold.
   */
  note(user: number, event: InputEvent): boolean {
    if (event.type === 'text' || event.type === 'release') return true;
    const hands = this.#handsOf(user);
    if (event.type === 'touch') {
      hands.touching = event.points.length > 0;
      return true;
    }
    if (event.type !== 'key') hands.position = { x: event.x, y: event.y };
    if (event.type === 'move' || event.type === 'wheel') return true;
    const held: Held =
      event.type === 'key' ? { type: 'key', keysym: event.keysym } : { type: 'button', button: event.button };
    const name = nameOf(held);
    if (!event.down) return hands.held.delete(name) || event.type === 'key';
    if (!hands.held.has(name) && hands.held.size >= MAX_HELD) return false;
    hands.held.set(name, held);
    return true;
  }

  /**
   * Takes everything out of a user's hands; the inputs that let go of it. What another user holds too stays pressed: the
   * display knows who holds what.
   */
  letGo(user: number): InputEvent[] {
    const hands = this.#users.get(user);
    this.#users.delete(user);
    if (hands === undefined) return [];
    const released = [...hands.held.values()].map(
      held => ({ ...held, ...(held.type === 'button' ? hands.position : {}), down: false }) as InputEvent,
    );
    return hands.touching ? [...released, { type: 'touch', phase: 'cancel', points: [] }] : released;
  }

  /** Forgets everything: the agent let go of it. */
  clear(): void {
    this.#users.clear();
  }

  #handsOf(user: number): Hands {
    let hands = this.#users.get(user);
    if (hands === undefined) {
      hands = { held: new Map(), position: { x: 0, y: 0 }, touching: false };
      this.#users.set(user, hands);
    }
    return hands;
  }
}
