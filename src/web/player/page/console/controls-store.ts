import type { ConsoleKind } from '../../../../protocol/generated/schemas.js';
import { parseBindings, type Bindings } from '../../../sdk/pad/bindings.js';

const keyOf = (kind: ConsoleKind) => `berth.controls.${kind}`;

/** What the viewer has set in this browser; null where it has not, or nothing can be made of it. */
export function storedBindings(kind: ConsoleKind): Bindings | null {
  try {
    return parseBindings(kind, JSON.parse(localStorage.getItem(keyOf(kind)) ?? 'null'));
  } catch {
    return null;
  }
}

/** Keeps what the viewer has set; null forgets it. */
export function storeBindings(kind: ConsoleKind, bindings: Bindings | null): void {
  try {
    if (bindings === null) localStorage.removeItem(keyOf(kind));
    else localStorage.setItem(keyOf(kind), JSON.stringify(bindings));
  } catch {
    // Storage may be forbidden; then it holds for as long as the page is open.
  }
}
