import type { ConsoleKind } from '../../../../protocol/generated/schemas.js';
import { parseBindings, type Bindings } from '../../../controls/bindings.js';

const keyOf = (kind: ConsoleKind) => `berth.controls.${kind}`;

/** The bindings stored in this browser; null if there are none, or they are invalid. */
export function storedBindings(kind: ConsoleKind): Bindings | null {
  try {
    return parseBindings(kind, JSON.parse(localStorage.getItem(keyOf(kind)) ?? 'null'));
  } catch {
    return null;
  }
}

/** Stores the viewer's bindings; null deletes them. */
export function storeBindings(kind: ConsoleKind, bindings: Bindings | null): void {
  try {
    if (bindings === null) localStorage.removeItem(keyOf(kind));
    else localStorage.setItem(keyOf(kind), JSON.stringify(bindings));
  } catch {
    // Storage may be forbidden; then it holds for as long as the page is open.
  }
}
