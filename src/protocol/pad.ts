import { MessageType } from './message-type.js';

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

const BYTES = 6;
const CONTROL = { button: 0, axis: 1 } as const;
const FULL = 32767;

/** Encodes a change as a binary message. */
export function encodePad(event: PadEvent): Uint8Array {
  const view = new DataView(new ArrayBuffer(BYTES));
  view.setUint8(0, MessageType.pad);
  view.setUint8(1, event.player);
  view.setUint8(2, CONTROL[event.control]);
  view.setUint8(3, event.id);
  const value =
    event.control === 'button' ? (event.down ? 1 : 0) : Math.round(Math.min(1, Math.max(-1, event.value)) * FULL);
  view.setInt16(4, value, true);
  return new Uint8Array(view.buffer);
}

/** Decodes a pad message; null if it is invalid. */
export function decodePad(bytes: Uint8Array): PadEvent | null {
  const [type, player = PLAYERS, control, id = PAD_BUTTONS] = bytes;
  if (type !== MessageType.pad || bytes.length !== BYTES || player >= PLAYERS) return null;
  const value = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt16(4, true);
  if (control === CONTROL.axis) {
    return id < PAD_AXES ? { type: 'pad', player, control: 'axis', id, value: Math.max(-1, value / FULL) } : null;
  }
  if (control !== CONTROL.button || id >= PAD_BUTTONS || value < 0 || value > 1) return null;
  return { type: 'pad', player, control: 'button', id, down: value === 1 };
}
