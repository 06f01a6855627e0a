import { characterOfKeysym, KEYPAD_KEYS, NAMED_KEYS } from '../../../controls/keysyms.js';
import { say } from '../../../languages/page.js';

const F0 = 0xffbd;
const SIGNS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowUp: '↑', ArrowRight: '→', ArrowDown: '↓' };

/** What is printed on a key, as its name by `KeyboardEvent.key` says it, and where it is among several. */
type Printed = readonly [key: string, where?: 'keypadKey' | 'leftKey' | 'rightKey'];

const PRINTED: ReadonlyMap<number, Printed> = new Map<number, Printed>([
  ...Object.entries(KEYPAD_KEYS).map(([key, keysym]) => [keysym, [key, 'keypadKey']] as const),
  ...Array.from({ length: 10 }, (_, digit) => [0xffb0 + digit, [String(digit), 'keypadKey']] as const),
  ...Array.from({ length: 35 }, (_, i) => [F0 + 1 + i, [`F${i + 1}`]] as const),
  ...Object.entries(NAMED_KEYS).flatMap(([key, keysym]): [number, Printed][] =>
    typeof keysym === 'number'
      ? [[keysym, [key]]]
      : [
          [keysym[0], [key, 'leftKey']],
          [keysym[1], [key, 'rightKey']],
        ],
  ),
]);

const spaced = (key: string) => SIGNS[key] ?? key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** Approximately what is printed on a key. */
export function keyName(keysym: number): string {
  const character = characterOfKeysym(keysym);
  if (character !== null) return character === ' ' ? say('spaceKey') : character.toUpperCase();
  const printed = PRINTED.get(keysym);
  if (printed === undefined) return say('unknownKey', { code: keysym.toString(16) });
  const [key, where] = printed;
  return where === undefined ? spaced(key) : say(where, { key: spaced(key) });
}
