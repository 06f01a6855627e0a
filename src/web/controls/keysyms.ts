/** X11 keysyms by `KeyboardEvent.key`; where there are two values, for the left and the right key. */
export const NAMED_KEYS: Readonly<Record<string, number | readonly [number, number]>> = {
  Backspace: 0xff08,
  Tab: 0xff09,
  Clear: 0xff0b,
  Enter: 0xff0d,
  Pause: 0xff13,
  ScrollLock: 0xff14,
  Escape: 0xff1b,
  Delete: 0xffff,
  Home: 0xff50,
  ArrowLeft: 0xff51,
  ArrowUp: 0xff52,
  ArrowRight: 0xff53,
  ArrowDown: 0xff54,
  PageUp: 0xff55,
  PageDown: 0xff56,
  End: 0xff57,
  Select: 0xff60,
  PrintScreen: 0xff61,
  Execute: 0xff62,
  Insert: 0xff63,
  Undo: 0xff65,
  Redo: 0xff66,
  ContextMenu: 0xff67,
  Find: 0xff68,
  Cancel: 0xff69,
  Help: 0xff6a,
  Shift: [0xffe1, 0xffe2],
  Control: [0xffe3, 0xffe4],
  Meta: [0xffeb, 0xffec],
  OS: [0xffeb, 0xffec],
  Alt: [0xffe9, 0xffea],
  AltGraph: 0xfe03,
  Super: [0xffeb, 0xffec],
  Hyper: [0xffed, 0xffee],
  Convert: 0xff23,
  NonConvert: 0xff22,
  KanaMode: 0xff2d,
  Hiragana: 0xff25,
  Katakana: 0xff26,
  HiraganaKatakana: 0xff27,
  Zenkaku: 0xff28,
  Hankaku: 0xff29,
  ZenkakuHankaku: 0xff2a,
  Eisu: 0xff30,
  HangulMode: 0xff31,
  HanjaMode: 0xff34,
  Compose: 0xff20,
  AudioVolumeDown: 0x1008ff11,
  AudioVolumeMute: 0x1008ff12,
  AudioVolumeUp: 0x1008ff13,
  MediaPlay: 0x1008ff14,
  MediaPlayPause: 0x1008ff14,
  MediaStop: 0x1008ff15,
  MediaTrackPrevious: 0x1008ff16,
  MediaTrackNext: 0x1008ff17,
  BrowserHome: 0x1008ff18,
  LaunchMail: 0x1008ff19,
  BrowserSearch: 0x1008ff1b,
  BrowserBack: 0x1008ff26,
  BrowserForward: 0x1008ff27,
  BrowserStop: 0x1008ff28,
  BrowserRefresh: 0x1008ff29,
  BrowserFavorites: 0x1008ff30,
  MediaPause: 0x1008ff31,
  Copy: 0x1008ff57,
  Cut: 0x1008ff58,
  Paste: 0x1008ff6d,
  ZoomIn: 0x1008ff8b,
  ZoomOut: 0x1008ff8c,
};

/** Keysyms of the numeric keypad by `key`. */
export const KEYPAD_KEYS: Readonly<Record<string, number>> = {
  Enter: 0xff8d,
  Home: 0xff95,
  ArrowLeft: 0xff96,
  ArrowUp: 0xff97,
  ArrowRight: 0xff98,
  ArrowDown: 0xff99,
  PageUp: 0xff9a,
  PageDown: 0xff9b,
  End: 0xff9c,
  Clear: 0xff9d,
  Insert: 0xff9e,
  Delete: 0xff9f,
  '=': 0xffbd,
  '*': 0xffaa,
  '+': 0xffab,
  ',': 0xffac,
  '-': 0xffad,
  '.': 0xffae,
  '/': 0xffaf,
};

/** Keysyms of characters beyond Latin 1 are their code point plus this. */
const UNICODE = 0x01000000;
const MAX_CODE_POINT = 0x10ffff;

const RIGHT = 2;
const NUMPAD = 3;

/** Keys that only change the meaning of others; locks already take effect at the viewer. */
const IGNORED = new Set(['CapsLock', 'NumLock', 'ScrollLock', 'Fn', 'FnLock', 'Symbol', 'SymbolLock', 'Dead']);

/** Keysym of one character. */
export function keysymOfCharacter(codePoint: number): number {
  const latin1 = (codePoint >= 0x20 && codePoint <= 0x7e) || (codePoint >= 0xa0 && codePoint <= 0xff);
  return latin1 ? codePoint : UNICODE + codePoint;
}

/** The character of a keysym; null for other keys. */
export function characterOfKeysym(keysym: number): string | null {
  const codePoint = keysym >= UNICODE ? keysym - UNICODE : keysym <= 0xff ? keysym : MAX_CODE_POINT + 1;
  return codePoint >= 0x20 && codePoint <= MAX_CODE_POINT ? String.fromCodePoint(codePoint) : null;
}

/** A letter's keysym without Shift, others unchanged: upper and lower case are the same key. */
export function plainKeysym(keysym: number): number {
  const small = characterOfKeysym(keysym)?.toLowerCase().codePointAt(0);
  return small === undefined ? keysym : keysymOfCharacter(small);
}

/** The single character that a `key` names, else null. */
export function characterOf(key: string): number | null {
  const codePoint = key.codePointAt(0);
  if (codePoint === undefined || String.fromCodePoint(codePoint) !== key || codePoint < 0x20) return null;
  return codePoint;
}

/**
 * Keysym of a key as the browser names it; null if it has none, or the session must not receive it.
 * @param location `KeyboardEvent.location`
 */
export function keysymOf(key: string, location: number): number | null {
  if (IGNORED.has(key)) return null;
  if (location === NUMPAD) {
    const keypad = /^[0-9]$/.test(key) ? 0xffb0 + Number(key) : KEYPAD_KEYS[key];
    if (keypad !== undefined) return keypad;
  }
  const named = Object.hasOwn(NAMED_KEYS, key) ? NAMED_KEYS[key] : undefined;
  if (typeof named === 'number') return named;
  if (named !== undefined) return named[location === RIGHT ? 1 : 0];
  const functionKey = /^F([1-9]|[12][0-9]|3[0-5])$/.exec(key);
  if (functionKey) return 0xffbd + Number(functionKey[1]);
  const character = characterOf(key);
  return character === null ? null : keysymOfCharacter(character);
}
