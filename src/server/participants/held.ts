import type { InputEvent } from '../../protocol/input.js';

/** Keys and buttons that one viewer may hold at once; more is no hand. */
const MAX_HELD = 64;

type Position = { x: number; y: number };
type Held = { type: 'key'; keysym: number } | { type: 'button'; button: number };

const nameOf = (held: Held): string => (held.type === 'key' ? `k${held.keysym}` : `b${held.button}`);

interface Hands {
  held: Map<string, Held>;
  position: Position;
}

/**
 * Which keys and buttons each viewer holds, so that the service can let go of them for a viewer that vanished.
 */
export class HeldInputs {
  readonly #users = new Map<number, Hands>();

  /** Whether the user holds anything. */
  holds(user: number): boolean {
    return (this.#users.get(user)?.held.size ?? 0) > 0;
  }

  get isEmpty(): boolean {
    for (const { held } of this.#users.values()) if (held.size > 0) return false;
    return true;
  }

  /** Notes an input of a user; false when the user holds too much for it to be carried out. */
  note(user: number, event: InputEvent): boolean {
    if (event.type === 'text' || event.type === 'release') return true;
    const hands = this.#handsOf(user);
    if (event.type !== 'key') hands.position = { x: event.x, y: event.y };
    if (event.type === 'move' || event.type === 'wheel') return true;
    const held: Held =
      event.type === 'key' ? { type: 'key', keysym: event.keysym } : { type: 'button', button: event.button };
    const name = nameOf(held);
    if (!event.down) {
      hands.held.delete(name);
      return true;
    }
    if (!hands.held.has(name) && hands.held.size >= MAX_HELD) return false;
    hands.held.set(name, held);
    return true;
  }

  /** Takes everything out of a user's hands; the inputs that let go of what nobody else holds. */
  letGo(user: number): InputEvent[] {
    const hands = this.#users.get(user);
    this.#users.delete(user);
    if (hands === undefined) return [];
    const others = new Set([...this.#users.values()].flatMap(({ held }) => [...held.keys()]));
    return [...hands.held]
      .filter(([name]) => !others.has(name))
      .map(([, held]) => ({ ...held, ...(held.type === 'button' ? hands.position : {}), down: false }) as InputEvent);
  }

  /** Forgets everything: the agent let go of it. */
  clear(): void {
    this.#users.clear();
  }

  #handsOf(user: number): Hands {
    let hands = this.#users.get(user);
    if (hands === undefined) {
      hands = { held: new Map(), position: { x: 0, y: 0 } };
      this.#users.set(user, hands);
    }
    return hands;
  }
}
