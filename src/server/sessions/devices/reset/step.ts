import { setTimeout as delay } from 'node:timers/promises';
import type { Shell } from '../../../../adb/shell.js';

/** Something that sessions leave on a device. Steps do not depend on each other: one that fails keeps none from running. */
export interface ResetStep {
  /** What it is about, in words for the log: "accounts". */
  readonly name: string;
  /** What of it the operator's device has, or cannot be rid of: it is left alone later. @throws ShellError */
  note(shell: Shell): Promise<string[]>;
  /** Removes what is not in `before`. @returns what is left, as the device tells afterwards @throws ShellError */
  clear(shell: Shell, before: ReadonlySet<string>): Promise<string[]>;
}

export interface ListedStep {
  readonly name: string;
  /** What there is of it now. */
  list(shell: Shell): Promise<string[]>;
  /** Removes these as far as the device lets; missing: there is no way. */
  remove?(shell: Shell, items: readonly string[]): Promise<void>;
  /** Nothing of it is the operator's: only what the device does not let go is left alone. */
  readonly isTransient?: boolean;
}

/** How often something is removed that is still there, and the milliseconds in between: devices are slow to follow. */
const ROUNDS = 3;
const PAUSE = 700;

/** A step whose items the device lists. */
export function listed({ name, list, remove, isTransient = false }: ListedStep): ResetStep {
  const clear = async (shell: Shell, before: ReadonlySet<string>): Promise<string[]> => {
    const extra = async () => (await list(shell)).filter(item => !before.has(item));
    let left = await extra();
    for (let round = 0; left.length > 0 && remove !== undefined && round < ROUNDS; round++) {
      if (round > 0) await delay(PAUSE);
      await remove(shell, left);
      left = await extra();
    }
    return left;
  };
  return { name, note: isTransient ? shell => clear(shell, new Set()) : list, clear };
}

/** Longest script, characters: the device's shell gets it as one argument. */
const SCRIPT_MAX = 60_000;

/** Milliseconds that a script may take: an app's data may be many files. */
const PATIENCE = 60_000;

/** Runs commands one after the other, whether or not those before succeeded; returns what they printed. @throws ShellError */
export async function each(shell: Shell, commands: readonly string[]): Promise<string> {
  let [printed, script] = ['', ''];
  const flush = async () => {
    if (script !== '') printed += (await shell.run(['sh', '-c', `${script}true`], PATIENCE)).text;
    script = '';
  };
  for (const command of commands) {
    if (script.length + command.length > SCRIPT_MAX) await flush();
    script += `${command}; `;
  }
  await flush();
  return printed;
}

/** Names of packages, and nothing else, since they come from the device. */
export const isPackage = (name: string): boolean => /^[A-Za-z][\w]*(\.[\w]+)*$/.test(name) && name.length <= 255;

/** All first groups of a pattern in a text, each once. */
export const matches = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].flatMap(([, group]) => (group === undefined ? [] : [group]))),
];
