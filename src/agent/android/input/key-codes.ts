import { AndroidKeyCode, AndroidKeyEventMeta } from '@yume-chan/scrcpy';
import type { AndroidKey } from '../../../protocol/generated/schemas.js';
import type { KeyCode } from '../scrcpy/control.js';

/** A key of the device's keyboard, and whether a character needs Shift with it. */
export interface DeviceKey {
  readonly code: KeyCode;
  readonly shift: boolean;
}

const key = (code: number, shift = false): DeviceKey => ({ code: code as KeyCode, shift });

/** Characters of a US keyboard, which is what Android's virtual keyboard has: plain, and with Shift. */
const CHARACTERS: readonly [code: number, plain: string, shifted: string][] = [
  [AndroidKeyCode.Backquote, '`', '~'],
  [AndroidKeyCode.Minus, '-', '_'],
  [AndroidKeyCode.Equal, '=', '+'],
  [AndroidKeyCode.BracketLeft, '[', '{'],
  [AndroidKeyCode.BracketRight, ']', '}'],
  [AndroidKeyCode.Backslash, '\\', '|'],
  [AndroidKeyCode.Semicolon, ';', ':'],
  [AndroidKeyCode.Quote, "'", '"'],
  [AndroidKeyCode.Comma, ',', '<'],
  [AndroidKeyCode.Period, '.', '>'],
  [AndroidKeyCode.Slash, '/', '?'],
  [AndroidKeyCode.Space, ' ', ' '],
  ...Array.from(')!@#$%^&*(').map((shifted, digit): [number, string, string] => [
    AndroidKeyCode.Digit0 + digit,
    String(digit),
    shifted,
  ]),
  ...Array.from('abcdefghijklmnopqrstuvwxyz').map((letter, index): [number, string, string] => [
    AndroidKeyCode.KeyA + index,
    letter,
    letter.toUpperCase(),
  ]),
];

const BY_CHARACTER: ReadonlyMap<string, DeviceKey> = new Map(
  CHARACTERS.flatMap(([code, plain, shifted]): [string, DeviceKey][] =>
    plain === shifted
      ? [[plain, key(code)]]
      : [
          [plain, key(code)],
          [shifted, key(code, true)],
        ],
  ),
);

/** Keysyms of X11 that are no characters. */
const BY_KEYSYM: ReadonlyMap<number, DeviceKey> = new Map(
  Object.entries({
    0xff08: AndroidKeyCode.Backspace,
    0xff09: AndroidKeyCode.Tab,
    0xff0d: AndroidKeyCode.Enter,
    0xff13: AndroidKeyCode.Pause,
    0xff14: AndroidKeyCode.ScrollLock,
    0xff1b: AndroidKeyCode.Escape,
    0xff50: AndroidKeyCode.Home,
    0xff51: AndroidKeyCode.ArrowLeft,
    0xff52: AndroidKeyCode.ArrowUp,
    0xff53: AndroidKeyCode.ArrowRight,
    0xff54: AndroidKeyCode.ArrowDown,
    0xff55: AndroidKeyCode.PageUp,
    0xff56: AndroidKeyCode.PageDown,
    0xff57: AndroidKeyCode.End,
    0xff61: AndroidKeyCode.PrintScreen,
    0xff63: AndroidKeyCode.Insert,
    0xff67: AndroidKeyCode.ContextMenu,
    0xff7f: AndroidKeyCode.NumLock,
    0xff8d: AndroidKeyCode.NumpadEnter,
    0xffaa: AndroidKeyCode.NumpadMultiply,
    0xffab: AndroidKeyCode.NumpadAdd,
    0xffad: AndroidKeyCode.NumpadSubtract,
    0xffae: AndroidKeyCode.NumpadDecimal,
    0xffaf: AndroidKeyCode.NumpadDivide,
    0xffe1: AndroidKeyCode.ShiftLeft,
    0xffe2: AndroidKeyCode.ShiftRight,
    0xffe3: AndroidKeyCode.ControlLeft,
    0xffe4: AndroidKeyCode.ControlRight,
    0xffe5: AndroidKeyCode.CapsLock,
    0xffe7: AndroidKeyCode.MetaLeft,
    0xffe8: AndroidKeyCode.MetaRight,
    0xffe9: AndroidKeyCode.AltLeft,
    0xffea: AndroidKeyCode.AltRight,
    0xffeb: AndroidKeyCode.MetaLeft,
    0xffec: AndroidKeyCode.MetaRight,
    0xfe03: AndroidKeyCode.AltRight,
    0xffff: AndroidKeyCode.Delete,
    0x1008ff11: AndroidKeyCode.VolumeDown,
    0x1008ff12: AndroidKeyCode.VolumeMute,
    0x1008ff13: AndroidKeyCode.VolumeUp,
    0x1008ff26: AndroidKeyCode.AndroidBack,
  }).map(([keysym, code]) => [Number(keysym), key(code)]),
);

/** F1 to F12, and the digits of the number pad. */
const ROWS = [
  { first: 0xffbe, count: 12, code: AndroidKeyCode.F1 },
  { first: 0xffb0, count: 10, code: AndroidKeyCode.Numpad0 },
] as const;

const { ShiftLeft, ShiftRight, ControlLeft, ControlRight, AltLeft, AltRight, MetaLeft, MetaRight } = AndroidKeyCode;
const META = AndroidKeyEventMeta;

/** What a modifier that is held adds to the state that goes with each key. */
export const MODIFIERS: ReadonlyMap<number, number> = new Map<number, number>([
  [ShiftLeft, META.Shift | META.ShiftLeft],
  [ShiftRight, META.Shift | META.ShiftRight],
  [ControlLeft, META.Ctrl | META.CtrlLeft],
  [ControlRight, META.Ctrl | META.CtrlRight],
  [AltLeft, META.Alt | META.AltLeft],
  [AltRight, META.Alt | META.AltRight],
  [MetaLeft, META.Meta | META.MetaLeft],
  [MetaRight, META.Meta | META.MetaRight],
]);

/** State of a character's own Shift. */
export const SHIFT: number = META.Shift | META.ShiftLeft;

/** The key of a character that the device's keyboard has. */
export const keyOfCharacter = (character: string): DeviceKey | undefined => BY_CHARACTER.get(character);

/** The character of a keysym; undefined if it is no character. */
export function characterOfKeysym(keysym: number): string | undefined {
  const isLatin = (keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff);
  if (isLatin) return String.fromCodePoint(keysym);
  const code = keysym - 0x1000000;
  return code >= 0x100 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The key of a keysym that is no character. */
export function keyOfKeysym(keysym: number): DeviceKey | undefined {
  const row = ROWS.find(({ first, count }) => keysym >= first && keysym < first + count);
  return row ? key(row.code + keysym - row.first) : BY_KEYSYM.get(keysym);
}

/** Codes that the library does not name. */
const WAKE = 224;
const SLEEP = 223;
const PLAY_PAUSE = 85;
const STOP = 86;
const NEXT = 87;
const PREVIOUS = 88;

/** What the keys of calls are. Panels are opened by messages of their own. */
export const CALL_KEYS: Readonly<Record<AndroidKey, number | 'notifications' | 'settings' | 'none'>> = {
  back: AndroidKeyCode.AndroidBack,
  home: AndroidKeyCode.AndroidHome,
  recents: AndroidKeyCode.AndroidAppSwitch,
  power: AndroidKeyCode.Power,
  wake: WAKE,
  sleep: SLEEP,
  volume_up: AndroidKeyCode.VolumeUp,
  volume_down: AndroidKeyCode.VolumeDown,
  volume_mute: AndroidKeyCode.VolumeMute,
  menu: AndroidKeyCode.ContextMenu,
  search: AndroidKeyCode.AndroidSearch,
  notifications: 'notifications',
  quick_settings: 'settings',
  close_panels: 'none',
  camera: AndroidKeyCode.AndroidCamera,
  media_play_pause: PLAY_PAUSE,
  media_stop: STOP,
  media_next: NEXT,
  media_previous: PREVIOUS,
};
