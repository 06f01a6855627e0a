import { encodePad, type PadEvent } from '../../../protocol/pad.js';

const nameOf = ({ control, id }: PadEvent) => `${control}${id}`;

/** What is held on each pad, so that the service can let go of it when its player leaves. */
export class HeldPads {
  readonly #held = new Map<number, Map<string, PadEvent>>();

  /** Notes a change. */
  note(event: PadEvent): void {
    const pad = this.#held.get(event.player) ?? new Map<string, PadEvent>();
    this.#held.set(event.player, pad);
    const isAtRest = event.control === 'button' ? !event.down : event.value === 0;
    if (isAtRest) pad.delete(nameOf(event));
    else pad.set(nameOf(event), event);
  }

  /** Takes everything out of a player's hands: the messages that tell the agent so. */
  letGo(player: number): Uint8Array[] {
    const pad = [...(this.#held.get(player)?.values() ?? [])];
    this.#held.delete(player);
    return pad.map(event => encodePad(event.control === 'button' ? { ...event, down: false } : { ...event, value: 0 }));
  }

  /** Forgets everything: the agent let go of it. */
  clear(): void {
    this.#held.clear();
  }
}
