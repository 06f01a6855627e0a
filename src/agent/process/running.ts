import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { tailOf } from './tail.js';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** Default: no stdin, no stdout. Standard error is always drained. */
  readonly stdio?: StdioOptions;
}

/** How a process ended: code or signal where they are known, and its last words. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly why: string;
}

/** A process that was started. */
export interface Running {
  readonly pid: number | undefined;
  readonly ended: Promise<Ending>;
  /** Signals it and all that it started. */
  signal(signal: NodeJS.Signals): void;
  /** Signals it alone, so that it can make use of what it started until it ends that itself. */
  ask(signal: NodeJS.Signals): void;
}

/** Starts a command as the leader of a group: signals reach all that it starts. */
export function launch(command: Command): Running & { readonly child: ChildProcess } {
  const child = spawn(command.file, command.args, {
    env: command.env,
    stdio: command.stdio ?? ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const tail = tailOf(child.stderr);
  const ended = new Promise<Ending>(resolve => {
    child.on('error', error => resolve({ code: null, signal: null, why: error.message }));
    child.on('exit', (code, signal) => resolve({ code, signal, why: tail() }));
  });
  const { pid } = child;
  const send = (to: number | undefined, signal: NodeJS.Signals) => to !== undefined && kill(to, signal);
  const group = pid === undefined ? undefined : -pid;
  return { child, pid, ended, signal: signal => send(group, signal), ask: signal => send(pid, signal) };
}

/** Takes on a process that runs already; `ended` resolves when it does not any more. */
export function adopt(pid: number, ended: Promise<void>): Running {
  return {
    pid,
    ended: ended.then(() => ({ code: null, signal: null, why: '' })),
    signal: signal => kill(pid, signal),
    ask: signal => kill(pid, signal),
  };
}

/** Signals a process, or a group where negative; what is gone already is ignored. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
