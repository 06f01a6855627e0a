import { amountOf, isPadSource, numberOf, type PadInput, type PadSource } from './pad-source.js';

/** Which input of a gamepad is which one of the standard gamepad; null: it has none for that. */
export type GamepadLayout = Readonly<Partial<Record<PadSource, PadSource | null>>>;

/** The layouts of gamepads, by the gamepads' `id`. */
export type GamepadLayouts = Readonly<Record<string, GamepadLayout>>;

const STANDARD = { buttons: 17, axes: 4 };
const MAX_LAYOUTS = 32;
const MAX_INPUTS = 64;
const HALF = 0.5;

/** The layout of a gamepad; null if there is none. */
export const layoutOf = ({ id }: Pick<Gamepad, 'id'>, layouts: GamepadLayouts): GamepadLayout | null =>
  (Object.hasOwn(layouts, id) ? layouts[id] : null) ?? null;

/** A gamepad as the standard gamepad, if it has a layout; without one, as it is. */
export function laidOut(pad: Pick<Gamepad, 'id'> & PadInput, layouts: GamepadLayouts): PadInput {
  const layout = layoutOf(pad, layouts);
  if (layout === null) return pad;
  const amount = (source: PadSource) => extentOf(pad, layout[source] ?? null);
  return {
    buttons: Array.from({ length: STANDARD.buttons }, (_, i) => {
      const value = amount(`b${i}`);
      return { pressed: value >= HALF, touched: value > 0, value };
    }),
    axes: Array.from({ length: STANDARD.axes }, (_, i) => amount(`a${i}+`) - amount(`a${i}-`)),
  };
}

/** How far an input is pressed, from 0 to 1, without a dead zone: whoever reads the standard gamepad has one. */
function extentOf(pad: PadInput, source: PadSource | null): number {
  if (source === null) return 0;
  if (!source.startsWith('a')) return amountOf(pad, source);
  return Math.min(1, Math.max(0, (pad.axes[numberOf(source)] ?? 0) * (source.endsWith('-') ? -1 : 1)));
}

/** With one more layout; beyond so many, that of another gamepad is forgotten. */
export function withLayout(layouts: GamepadLayouts, id: string, layout: GamepadLayout): GamepadLayouts {
  const others = Object.entries(layouts).filter(([other]) => other !== id);
  return Object.fromEntries([...others.slice(-(MAX_LAYOUTS - 1)), [id, layout]]);
}

/** Parses stored layouts; null if they are not valid. */
export function parseLayouts(stored: unknown): GamepadLayouts | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null;
  const layouts = Object.entries(stored);
  if (layouts.length > MAX_LAYOUTS || !layouts.every(([, layout]) => isLayout(layout))) return null;
  return Object.fromEntries(layouts as [string, GamepadLayout][]);
}

function isLayout(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const inputs = Object.entries(value);
  return (
    inputs.length <= MAX_INPUTS &&
    inputs.every(([source, place]) => isPadSource(source) && (place === null || isPadSource(place)))
  );
}
