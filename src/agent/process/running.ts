import { spawn, type ChildProcess, type IOType } from 'node:child_process';
import { send } from './signals.js';
import { tailOf } from './tail.js';
import type { StderrPipe } from './stderr-pipe.js';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** Default: no stdin, no stdout. Standard error is always drained. */
  readonly stdio?: readonly IOType[];
  /** How far it and its descendants stand back for others, 0 to 19. Default 0. */
  readonly niceness?: number;
}

/** How a process ended: code or signal if known, and its last output. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly why: string;
}

/** A started process. */
export interface Running {
  readonly pid: number | undefined;
  readonly ended: Promise<Ending>;
  /** Signals it and all its descendants. */
  signal(signal: NodeJS.Signals): void;
  /** Signals only itself, so that it can still use its children until it ends them. */
  ask(signal: NodeJS.Signals): void;
  /** Whether it has ended is found out now. Without it, that is always known at once. */
  look?(): void;
}

/**
 * Starts a command as a group leader, so that signals reach all its descendants. `stderr` receives its standard error.
 */
export function launch(command: Command, stderr?: StderrPipe): Running & { readonly child: ChildProcess } {
  const start = (error: IOType | number) => {
    const [input = 'ignore', output = 'ignore', , ...others] = command.stdio ?? [];
    // Set from outside, it would come after what the program starts at once.
    const nice = command.niceness === undefined ? [] : ['nice', '-n', String(command.niceness)];
    const [file = '', ...args] = [...nice, command.file, ...command.args];
    return spawn(file, args, {
      env: command.env,
      stdio: [input, output, error, ...others],
      detached: true,
    });
  };
  const child = stderr === undefined ? start('pipe') : stderr.withWriter(start);
  const tail = stderr === undefined ? tailOf(child.stderr) : () => stderr.lastText;
  const ended = new Promise<Ending>(resolve => {
    child.on('error', error => resolve({ code: null, signal: null, why: error.message }));
    child.on('exit', (code, signal) => resolve({ code, signal, why: tail() }));
  });
  const { pid } = child;
  const to = (it: number) => (signal: NodeJS.Signals) => void (pid !== undefined && send(it * pid, signal));
  return { child, pid, ended, signal: to(-1), ask: to(1) };
}
