import { fromViewer } from './viewer-wire.js';

/** A change on a console's pad, with RetroPad's numbers for buttons and axes. */
export type PadEvent =
  | { type: 'pad'; player: number; control: 'button'; id: number; down: boolean }
  /** `id`: 0 left stick X, 1 left Y, 2 right X, 3 right Y; `value` from -1 to 1, positive right and down. */
  | { type: 'pad'; player: number; control: 'axis'; id: number; value: number };

export const PLAYERS = 4;
export const PAD_BUTTONS = 16;
export const PAD_AXES = 4;

/** RetroPad's button numbers. */
export const PadButton = {
  b: 0,
  y: 1,
  select: 2,
  start: 3,
  up: 4,
  down: 5,
  left: 6,
  right: 7,
  a: 8,
  x: 9,
  l: 10,
  r: 11,
  l2: 12,
  r2: 13,
  l3: 14,
  r3: 15,
} as const;

const CONTROL = { button: 0, axis: 1 } as const;
const FULL = 32767;

/** Encodes a change as a binary message. */
export function encodePad(event: PadEvent): Uint8Array {
  const { player, control, id } = event;
  const value =
    event.control === 'button' ? Number(event.down) : Math.round(Math.min(1, Math.max(-1, event.value)) * FULL);
  return fromViewer.pad.encode({ player, control: CONTROL[control], id, value });
}

/** Decodes a pad message; null if it is invalid. */
export function decodePad(bytes: Uint8Array): PadEvent | null {
  const pad = fromViewer.pad.decode(bytes);
  if (pad === null || pad.player >= PLAYERS) return null;
  const { player, control, id, value } = pad;
  if (control === CONTROL.axis) {
    return id < PAD_AXES ? { type: 'pad', player, control: 'axis', id, value: Math.max(-1, value / FULL) } : null;
  }
  if (control !== CONTROL.button || id >= PAD_BUTTONS || value < 0 || value > 1) return null;
  return { type: 'pad', player, control: 'button', id, down: value === 1 };
}
