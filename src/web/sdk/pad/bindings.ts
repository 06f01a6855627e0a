import type { ConsoleKind } from '../../../protocol/generated/schemas.js';
import { controlsOf } from './controls.js';
import { defaultKeys } from './default-keys.js';
import { defaultSources } from './default-sources.js';
import { isPadSource, type PadSource } from './pad-source.js';

/** What a control is pressed with. */
export interface Binding {
  /** X11 keysyms; letters by the small one. */
  readonly keys: readonly number[];
  /** Buttons and halves of axes of a gamepad. */
  readonly pad: readonly PadSource[];
}

/** What each control of a console is pressed with, by the control's ID. */
export type Bindings = Readonly<Record<string, Binding>>;

const MAX_KEYSYM = 0x1fffffff;
/** More than this for one control is no setting of a person. */
const MAX_EACH = 8;

/** What the keys of a keyboard and the buttons of a gamepad do where nobody has set anything else. */
export function defaultBindings(kind: ConsoleKind): Bindings {
  const keys = defaultKeys(kind);
  const sources = defaultSources(kind);
  return Object.fromEntries(controlsOf(kind).map(({ id }) => [id, { keys: keys[id] ?? [], pad: sources[id] ?? [] }]));
}

/** Presses a control with this key alone; whatever had the key loses it. */
export function withKey(bindings: Bindings, id: string, key: number | null): Bindings {
  return changed(
    bindings,
    id,
    binding => ({ ...binding, keys: binding.keys.filter(each => each !== key) }),
    binding => ({
      ...binding,
      keys: key === null ? [] : [key],
    }),
  );
}

/** Presses a control with this of a gamepad alone; whatever had it loses it. */
export function withSource(bindings: Bindings, id: string, source: PadSource | null): Bindings {
  return changed(
    bindings,
    id,
    binding => ({ ...binding, pad: binding.pad.filter(each => each !== source) }),
    binding => ({
      ...binding,
      pad: source === null ? [] : [source],
    }),
  );
}

function changed(
  bindings: Bindings,
  id: string,
  others: (before: Binding) => Binding,
  own: (before: Binding) => Binding,
): Bindings {
  return Object.fromEntries(
    Object.entries(bindings).map(([each, before]) => [each, each === id ? own(before) : others(before)]),
  );
}

/** Bindings out of something that was kept; null where it is not the bindings of this console. */
export function parseBindings(kind: ConsoleKind, kept: unknown): Bindings | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const ids = controlsOf(kind).map(({ id }) => id);
  const entries = ids.map(
    id => [id, Object.hasOwn(kept, id) ? (kept as Record<string, unknown>)[id] : undefined] as const,
  );
  if (Object.keys(kept).length !== ids.length || !entries.every(([, value]) => isBinding(value))) return null;
  return Object.fromEntries(entries as (readonly [string, Binding])[]);
}

function isBinding(value: unknown): value is Binding {
  if (typeof value !== 'object' || value === null) return false;
  const { keys, pad } = value as { keys?: unknown; pad?: unknown };
  return isList(keys, isKeysym) && isList(pad, isPadSource);
}

const isList = (value: unknown, holds: (each: unknown) => boolean) =>
  Array.isArray(value) && value.length <= MAX_EACH && value.every(holds);

const isKeysym = (value: unknown) =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_KEYSYM;
