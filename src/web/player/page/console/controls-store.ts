import type { ConsoleKind } from '../../../../protocol/generated/schemas.js';
import { parseBindings, type Bindings } from '../../../controls/bindings.js';
import { parseLayouts, type GamepadLayouts } from '../../../controls/gamepad-layout.js';

const keyOf = (kind: ConsoleKind) => `berth.controls.${kind}`;
const LAYOUTS = 'berth.gamepads';

/** The bindings stored in this browser; null if there are none, or they are invalid. */
export const storedBindings = (kind: ConsoleKind): Bindings | null => parseBindings(kind, stored(keyOf(kind)));

/** Stores the viewer's bindings; null deletes them. */
export const storeBindings = (kind: ConsoleKind, bindings: Bindings | null): void => store(keyOf(kind), bindings);

/** The layouts of gamepads stored in this browser; null if there are none, or they are invalid. */
export const storedLayouts = (): GamepadLayouts | null => parseLayouts(stored(LAYOUTS));

export const storeLayouts = (layouts: GamepadLayouts): void => store(LAYOUTS, layouts);

function stored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function store(key: string, value: object | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage may be forbidden; then it holds for as long as the page is open.
  }
}
