import { characterOfKeysym, KEYPAD_KEYS, NAMED_KEYS } from '../../../controls/keysyms.js';

const F0 = 0xffbd;
const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowUp: '↑',
  ArrowRight: '→',
  ArrowDown: '↓',
  ' ': 'Space',
};

const NAMES: ReadonlyMap<number, string> = new Map([
  ...Object.entries(KEYPAD_KEYS).map(([key, keysym]) => [keysym, `Keypad ${spaced(key)}`] as const),
  ...Array.from({ length: 10 }, (_, digit) => [0xffb0 + digit, `Keypad ${digit}`] as const),
  ...Array.from({ length: 35 }, (_, i) => [F0 + 1 + i, `F${i + 1}`] as const),
  ...Object.entries(NAMED_KEYS).flatMap(([key, keysym]) =>
    typeof keysym === 'number'
      ? [[keysym, spaced(key)] as const]
      : [[keysym[0], `Left ${spaced(key)}`] as const, [keysym[1], `Right ${spaced(key)}`] as const],
  ),
]);

function spaced(key: string): string {
  return SIGNS[key] ?? key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

/** Approximately what is printed on a key. */
export function keyName(keysym: number): string {
  const character = characterOfKeysym(keysym);
  if (character !== null) return SIGNS[character] ?? character.toUpperCase();
  return NAMES.get(keysym) ?? `Key ${keysym.toString(16)}`;
}
