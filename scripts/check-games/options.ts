import { resolve } from 'node:path';
import type { ConsoleKind } from '../../src/protocol/generated/schemas.js';

/** The variables of `make check-games`. */
export interface Options {
  /** The folder with the programs, or one program. */
  readonly folder: string;
  /** The console of all of them; null: determined by their extensions. */
  readonly type: ConsoleKind | null;
  /** Folder of reference pictures; null: none. */
  readonly reference: string | null;
  /** Where the results go. */
  readonly out: string;
  /** Concurrent sessions. */
  readonly jobs: number;
  /** How long each is played, seconds. */
  readonly seconds: number;
  /** How long those that did not play are played once more, one at a time, seconds; 0: not at all. */
  readonly secondsAgain: number;
  /** Whether to skip programs with a result in `out`. */
  readonly resume: boolean;
}

export const CONSOLES: readonly ConsoleKind[] = ['nes', 'snes', 'n64', 'ps1'];

/** Reads the options from the environment. @throws Error that names the variable */
export function readOptions(env: NodeJS.ProcessEnv): Options {
  const type = env['TYPE'] || null;
  if (type !== null && !isConsole(type)) throw new Error(`TYPE must be one of ${CONSOLES.join(', ')}.`);
  if (!env['FOLDER']) throw new Error('FOLDER must name the folder with the games, as in FOLDER=~/games.');
  return {
    folder: resolve(env['FOLDER']),
    type,
    reference: env['REFERENCE'] ? resolve(env['REFERENCE']) : null,
    out: resolve(env['OUT'] || '.berth/check-games'),
    jobs: whole(env, 'JOBS', 1, 16, 2),
    seconds: whole(env, 'DURATION', 4, 120, 8),
    secondsAgain: whole(env, 'AGAIN', 0, 300, 30),
    resume: (env['RESUME'] ?? '') !== '' && env['RESUME'] !== '0',
  };
}

const isConsole = (text: string): text is ConsoleKind => (CONSOLES as readonly string[]).includes(text);

function whole(env: NodeJS.ProcessEnv, name: string, least: number, most: number, otherwise: number): number {
  const value = Number(env[name] || otherwise);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a whole number from ${least} to ${most}.`);
}
