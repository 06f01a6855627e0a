import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import { controlsOf } from './controls.js';
import { defaultKeys, defaultSources } from './default-bindings.js';
import { isPadSource, type PadSource } from './pad-source.js';

/** The keys and gamepad inputs that press a control. */
export interface Binding {
  /** X11 keysyms; letters in lower case. */
  readonly keys: readonly number[];
  /** Buttons and half-axes of a gamepad. */
  readonly pad: readonly PadSource[];
}

/** The bindings of each control of a console, by the control's ID. */
export type Bindings = Readonly<Record<string, Binding>>;

const MAX_KEYSYM = 0x1fffffff;
/** Upper bound on bindings per control, to reject invalid stored data. */
const MAX_EACH = 8;

/** The default bindings of keyboard and gamepad. */
export function defaultBindings(kind: ConsoleKind): Bindings {
  const keys = defaultKeys(kind);
  const sources = defaultSources(kind);
  return Object.fromEntries(controlsOf(kind).map(({ id }) => [id, { keys: keys[id] ?? [], pad: sources[id] ?? [] }]));
}

/** Binds a control to this key alone; a previous binding of the key is removed. */
export function withKey(bindings: Bindings, id: string, key: number | null): Bindings {
  return mapped(bindings, (each, { keys, pad }) => ({ keys: rebound(keys, key, each === id), pad }));
}

/** Binds a control to this gamepad input alone; a previous binding of the input is removed. */
export function withSource(bindings: Bindings, id: string, source: PadSource | null): Bindings {
  return mapped(bindings, (each, { keys, pad }) => ({ keys, pad: rebound(pad, source, each === id) }));
}

/** The inputs of a control after `input` was bound to it alone (`isOwn`) or to another control. */
function rebound<T>(inputs: readonly T[], input: T | null, isOwn: boolean): readonly T[] {
  if (!isOwn) return inputs.filter(each => each !== input);
  return input === null ? [] : [input];
}

function mapped(bindings: Bindings, change: (id: string, binding: Binding) => Binding): Bindings {
  return Object.fromEntries(Object.entries(bindings).map(([id, binding]) => [id, change(id, binding)]));
}

/** Parses stored bindings; null if they are not valid for this console. */
export function parseBindings(kind: ConsoleKind, stored: unknown): Bindings | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const ids = controlsOf(kind).map(({ id }) => id);
  const entries = ids.map(
    id => [id, Object.hasOwn(stored, id) ? (stored as Record<string, unknown>)[id] : undefined] as const,
  );
  if (Object.keys(stored).length !== ids.length || !entries.every(([, value]) => isBinding(value))) return null;
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
