import { keysymOf, plainKeysym } from '../../../controls/keysyms.js';
import { connectedGamepads } from '../../../controls/gamepad.js';
import { PadPresses } from '../../../controls/pad-presses.js';
import type { PadInput, PadSource } from '../../../controls/pad-source.js';

/** Waits for the next key; `null` is Escape, which cancels. The key's default action is prevented. */
export function nextKey(signal: AbortSignal, pressed: (keysym: number | null) => void): void {
  const onKey = (event: KeyboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return pressed(null);
    const keysym = keysymOf(event.key, event.location);
    if (keysym !== null && event.key !== 'Meta' && !event.repeat) pressed(plainKeysym(keysym));
  };
  addEventListener('keydown', onKey, { capture: true, signal });
}

/**
 * Waits for the next button of any gamepad, or for a stick that is pushed to a side.
 * @param read what a gamepad's inputs are taken for
 */
export function nextSource(
  signal: AbortSignal,
  read: (pad: Gamepad) => PadInput,
  pressed: (source: PadSource) => void,
): void {
  const presses = new Map<number, PadPresses>();
  eachFrame(signal, () => {
    for (const pad of connectedGamepads()) {
      const of = presses.get(pad.index) ?? new PadPresses();
      presses.set(pad.index, of);
      const source = of.look(read(pad));
      if (source !== null) return pressed(source);
    }
  });
}

/** Waits for inputs of one gamepad, by its index: one after the other, until the signal aborts. */
export function sourcesOf(signal: AbortSignal, index: number, pressed: (source: PadSource) => void): void {
  const presses = new PadPresses();
  eachFrame(signal, () => {
    const pad = connectedGamepads().find(each => each.index === index);
    const source = pad === undefined ? null : presses.look(pad);
    if (source !== null) pressed(source);
  });
}

function eachFrame(signal: AbortSignal, look: () => void): void {
  if (signal.aborted) return;
  look();
  requestAnimationFrame(() => eachFrame(signal, look));
}
