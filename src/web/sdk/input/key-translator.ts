import type { InputEvent } from '../../../protocol/input.js';
import { keycodeOf } from '../../../protocol/keycodes.js';
import { characterOf, keysymOf } from '../../controls/keysyms.js';

export type Platform = 'mac' | 'windows' | 'other';

/** The fields of a KeyboardEvent that are used. */
export interface KeyInput {
  key: string;
  code: string;
  location: number;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  /** Whether AltGr is held. */
  altGraphKey: boolean;
  timeStamp: number;
}

export type KeyEvent = Extract<InputEvent, { type: 'key' }>;

const CONTROL_L = 0xffe3;
const ALT_L = 0xffe9;
const ALT_GRAPH = 0xfe03;
const MODIFIERS = [
  { held: [0xffe1, 0xffe2], is: (input: KeyInput) => input.shiftKey },
  { held: [0xffe3, 0xffe4], is: (input: KeyInput) => input.ctrlKey || input.metaKey },
  { held: [0xffe9, 0xffea], is: (input: KeyInput) => input.altKey },
  { held: [0xffeb, 0xffec], is: (input: KeyInput) => input.metaKey },
  { held: [ALT_GRAPH], is: (input: KeyInput) => input.altGraphKey },
];
const [SHIFT_L, HOME, END, BACKSPACE, DELETE] = [0xffe1, 0xff50, 0xff57, 0xff08, 0xffff];

/** Keys that Option makes work by the word or the paragraph on a Mac, which Ctrl does in the session. */
const BY_WORD = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Backspace', 'Delete']);

/** What does in the session what Cmd does with these keys on a Mac: with Ctrl held or not, after a selection or not. */
const WITH_COMMAND: Readonly<Record<string, { withControl?: true; selects?: number; taps: number }>> = {
  ArrowLeft: { taps: HOME },
  ArrowRight: { taps: END },
  ArrowUp: { withControl: true, taps: HOME },
  ArrowDown: { withControl: true, taps: END },
  Backspace: { selects: HOME, taps: BACKSPACE },
  Delete: { selects: END, taps: DELETE },
};

const press = (keysym: number): KeyEvent => ({ type: 'key', down: true, keysym });
const release = (keysym: number): KeyEvent => ({ type: 'key', down: false, keysym });
const tap = (keysym: number): KeyEvent[] => [press(keysym), release(keysym)];

type Held = Pick<KeyEvent, 'keysym' | 'code'>;

/** Windows sends Ctrl immediately before AltGr, with at most a few milliseconds between them. */
const ALTGR_MS = 50;

/**
 * Translates keys of the viewer's keyboard to keysyms that are pressed and released in the session. A character is sent
 * as the viewer's layout produces it, so the layouts need not match, with the place of its key, so that pages see both.
 */
export class KeyTranslator {
  readonly #platform: Platform;
  readonly #held = new Map<string, Held>();
  #pendingControl: number | null = null;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Whether this keyboard holds keys in the session. */
  get holding(): boolean {
    return this.#held.size > 0;
  }

  down(input: KeyInput): KeyEvent[] {
    if (this.#platform === 'windows' && input.code === 'ControlLeft' && !this.#held.has('ControlLeft')) {
      this.#pendingControl = input.timeStamp;
      return [];
    }
    const altGraph = input.key === 'AltGraph' || (this.#platform === 'windows' && input.code === 'AltRight');
    const recent = this.#pendingControl !== null && input.timeStamp - this.#pendingControl < ALTGR_MS;
    if (altGraph && recent) this.#pendingControl = null;
    const events = [...this.flush(), ...this.#releaseLost(input)];
    const keysym = this.#keysym(input);
    if (keysym === null) return events;
    const id = input.code || input.key;
    if (this.#platform === 'mac') {
      const edits = this.#edit(input);
      if (edits !== null) return [...events, ...edits];
      events.push(...this.#option(input));
    }
    const code = keycodeOf(input.code);
    const pressed = this.#held.get(id) ?? { keysym, ...(code === undefined ? {} : { code }) };
    events.push({ type: 'key', down: true, ...pressed });
    // While Cmd is held, macOS does not report the releases of other keys.
    if (this.#platform === 'mac' && input.metaKey && input.key !== 'Meta') {
      events.push({ type: 'key', down: false, ...pressed });
    } else {
      this.#held.set(id, pressed);
    }
    return events;
  }

  /** Releasing a key that was never pressed here sends nothing. */
  up(input: Pick<KeyInput, 'code' | 'key'>): KeyEvent[] {
    const events = this.flush();
    const ids = [input.code || input.key, ...(input.key === 'Alt' ? ['Option'] : [])];
    return [...events, ...ids.flatMap(id => this.#release(id))];
  }

  /** Sends a Ctrl that was delayed until it was clear that no AltGr follows. */
  flush(): KeyEvent[] {
    if (this.#pendingControl === null) return [];
    this.#pendingControl = null;
    this.#held.set('ControlLeft', { keysym: CONTROL_L });
    return [press(CONTROL_L)];
  }

  /** Forgets all held keys: the session has released them. */
  reset(): void {
    this.#held.clear();
    this.#pendingControl = null;
  }

  #keysym(input: KeyInput): number | null {
    if (input.key === 'Meta' && this.#platform === 'mac') return input.location === 2 ? CONTROL_L + 1 : CONTROL_L;
    // Option produces characters on a Mac: it is sent only with keys that have none.
    if (input.key === 'Alt' && this.#platform === 'mac') return null;
    const character = characterOf(input.key);
    const shortcut = (input.ctrlKey || input.metaKey) && !input.altKey;
    const letter = /^Key([A-Z])$/.exec(input.code)?.[1];
    if (shortcut && character !== null && character > 0x7f && letter !== undefined) {
      return keysymOf(input.shiftKey ? letter : letter.toLowerCase(), 0);
    }
    return keysymOf(input.key, input.location);
  }

  /** Holds what Option is with this key; nothing with characters, which it has made already. */
  #option({ altKey, key }: KeyInput): KeyEvent[] {
    const wanted = !altKey || characterOf(key) !== null ? undefined : BY_WORD.has(key) ? CONTROL_L : ALT_L;
    if (wanted === this.#held.get('Option')?.keysym) return [];
    const events = this.#release('Option');
    if (wanted === undefined) return events;
    this.#held.set('Option', { keysym: wanted });
    return [...events, press(wanted)];
  }

  /** Edits text as Cmd does with this key on a Mac; null if it does not. */
  #edit({ metaKey, altKey, key }: KeyInput): KeyEvent[] | null {
    const edit = metaKey && !altKey && Object.hasOwn(WITH_COMMAND, key) ? WITH_COMMAND[key] : undefined;
    if (edit === undefined) return null;
    const { withControl = false, selects, taps } = edit;
    const controls = [...this.#held.values()].filter(({ keysym }) => keysym === CONTROL_L || keysym === CONTROL_L + 1);
    const lifted = withControl ? [] : controls.map(({ keysym }) => keysym);
    const selection = selects === undefined ? [] : [press(SHIFT_L), ...tap(selects), release(SHIFT_L)];
    return [...lifted.map(release), ...selection, ...tap(taps), ...lifted.map(press)];
  }

  /** Modifiers held in the session but not on the keyboard: their release was missed. */
  #releaseLost(input: KeyInput): KeyEvent[] {
    const lost = MODIFIERS.filter(modifier => !modifier.is(input)).flatMap(modifier => modifier.held);
    const isLost = ([id, { keysym }]: [string, Held]) => lost.includes(keysym) && !(id === 'Option' && input.altKey);
    return [...this.#held].filter(isLost).flatMap(([id]) => this.#release(id));
  }

  #release(id: string): KeyEvent[] {
    const held = this.#held.get(id);
    if (held === undefined) return [];
    this.#held.delete(id);
    return [{ type: 'key', down: false, ...held }];
  }
}

/** Maps `navigator.platform` or `userAgentData.platform` to a platform. */
export function platformOf(name: string): Platform {
  if (/mac|iphone|ipad|ipod/i.test(name)) return 'mac';
  return /win/i.test(name) ? 'windows' : 'other';
}
