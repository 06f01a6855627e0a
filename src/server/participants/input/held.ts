import type { InputEvent } from '../../../protocol/input.js';

/**
 * Maximum number of keys and buttons that one viewer may hold at once, far more than a person needs; bounds the memory
 * that a hostile viewer can use.
 */
const MAX_HELD = 64;

type Position = { x: number; y: number };
type Held = { type: 'key'; keysym: number } | { type: 'button'; button: number };

const nameOf = (held: Held): string => (held.type === 'key' ? `k${held.keysym}` : `b${held.button}`);

interface Hands {
  held: Map<string, Held>;
  position: Position;
  /** Whether a touch is active. */
  touching: boolean;
}

const holdsSomething = (hands: Hands | undefined) => hands !== undefined && (hands.held.size > 0 || hands.touching);

/**
 * Tracks the keys and buttons that each viewer holds, and its touches, so that the service can release them for a
 * viewer that vanished.
 */
export class HeldInputs {
  readonly #users = new Map<number, Hands>();

  /** Whether the user holds anything. */
  holds(user: number): boolean {
    return holdsSomething(this.#users.get(user));
  }

  /** Whether the user holds a button, or touches the screen. */
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
   * Records an input of a user; false if it must not be carried out: the user holds too much, or releases a button that
   * it does not hold.
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
   * Forgets what a user holds and returns the inputs that release it. What another user holds too stays pressed: the
   * display tracks who holds what.
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

  /** Forgets everything: the agent has released it. */
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
