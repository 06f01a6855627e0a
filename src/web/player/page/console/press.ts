import { keysymOf, plainKeysym } from '../../../controls/keysyms.js';
import { connectedGamepads } from '../../../controls/gamepad.js';
import { pressedSince, type PadInput, type PadSource } from '../../../controls/pad-source.js';

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

/** Waits for the next button of any gamepad, or for a stick that is pushed to a side. */
export function nextSource(signal: AbortSignal, pressed: (source: PadSource) => void): void {
  const before = new Map<number, PadInput>();
  const look = () => {
    if (signal.aborted) return;
    for (const pad of connectedGamepads()) {
      const then = before.get(pad.index);
      const source = then === undefined ? null : pressedSince(then, pad);
      // Browsers may mutate the returned objects.
      if (then === undefined)
        before.set(pad.index, {
          buttons: pad.buttons.map(({ pressed, touched, value }) => ({ pressed, touched, value })),
          axes: [...pad.axes],
        });
      if (source !== null) return pressed(source);
    }
    requestAnimationFrame(look);
  };
  look();
}
