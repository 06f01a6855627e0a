/** Places on the keyboard, by the keycodes that X servers give them: those of Linux plus 8. */

/** The first keycode of each row, and the keys in it as `KeyboardEvent.code` names them. */
const ROWS: readonly (readonly [first: number, codes: string])[] = [
  [
    9,
    'Escape Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal Backspace Tab KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Enter ControlLeft KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backquote ShiftLeft Backslash KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash ShiftRight NumpadMultiply AltLeft Space',
  ],
  [67, 'F1 F2 F3 F4 F5 F6 F7 F8 F9 F10'],
  [
    79,
    'Numpad7 Numpad8 Numpad9 NumpadSubtract Numpad4 Numpad5 Numpad6 NumpadAdd Numpad1 Numpad2 Numpad3 Numpad0 NumpadDecimal',
  ],
  [94, 'IntlBackslash F11 F12 IntlRo'],
  [100, 'Convert KanaMode NonConvert'],
  [104, 'NumpadEnter ControlRight NumpadDivide PrintScreen AltRight'],
  [110, 'Home ArrowUp PageUp ArrowLeft ArrowRight End ArrowDown PageDown Insert Delete'],
  [125, 'NumpadEqual'],
  [127, 'Pause'],
  [129, 'NumpadComma'],
  [132, 'IntlYen MetaLeft MetaRight ContextMenu'],
];

const KEYCODES: ReadonlyMap<string, number> = new Map(
  ROWS.flatMap(([first, codes]) => codes.split(' ').map((code, index) => [code, first + index] as const)),
);

/** The keycode of a key by `KeyboardEvent.code`; undefined for keys that have no place of their own. */
export const keycodeOf = (code: string): number | undefined => KEYCODES.get(code);
