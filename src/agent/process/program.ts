import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import type { Log } from '../log.js';
import { judge, recent, type RestartPolicy } from './backoff.js';
import { tailOf } from './tail.js';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** Default: no stdin, no stdout. Standard error is always drained by the program. */
  readonly stdio?: StdioOptions;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Milliseconds the process lived. */
  readonly lived: number;
  /** Deaths within the policy's window, this one included. */
  readonly deaths: number;
}

export interface ProgramOptions {
  readonly name: string;
  readonly log: Log;
  readonly policy: RestartPolicy;
  /** Makes the command, before each start; may wait for what the program needs. */
  readonly command: (deaths: number) => Command | Promise<Command>;
  /** Called with each new process; the program is up when this has resolved. */
  readonly started?: (child: ChildProcess) => void | Promise<void>;
  /** Called when the process has ended unasked, before it is started again. */
  readonly died?: (exit: Exit) => void;
  /** Whether an exit is the program's normal end, which is no death: it is started again at once. */
  readonly normal?: (exit: Exit) => boolean;
  /** Called when it died too often. */
  readonly gaveUp?: (reason: string) => void;
  /** Milliseconds between the polite and the forced end in stop(). Default 500. */
  readonly grace?: number;
  readonly signal?: NodeJS.Signals;
}

type State =
  | { kind: 'stopped' }
  | { kind: 'preparing' }
  | { kind: 'running'; child: ChildProcess }
  | { kind: 'waiting'; timer: NodeJS.Timeout }
  | { kind: 'failed' };

/** A program that is kept running: started, started again when it dies, ended with all its children. */
export class Program {
  readonly #options: ProgramOptions;
  #state: State = { kind: 'stopped' };
  #up = false;
  #deaths: number[] = [];
  #waiters: (() => void)[] = [];

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  /** Process ID while it runs. */
  get pid(): number | undefined {
    return this.#state.kind === 'running' ? this.#state.child.pid : undefined;
  }

  /** Starts it; nothing if it is started already. */
  start(): void {
    if (this.#state.kind === 'stopped') void this.#spawn();
  }

  /** Resolves when the program is up, now or after its next start. */
  whenUp(): Promise<void> {
    return this.#up ? Promise.resolve() : new Promise(resolve => this.#waiters.push(resolve));
  }

  /** Kills the running process, which is then started again. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    if (this.#state.kind === 'running') signalGroup(this.#state.child, signal);
  }

  /** Ends it for good; resolves when its process is gone. */
  async stop(): Promise<void> {
    const state = this.#state;
    this.#state = { kind: 'stopped' };
    this.#up = false;
    if (state.kind === 'waiting') clearTimeout(state.timer);
    if (state.kind !== 'running' || hasEnded(state.child)) return;
    const ended = new Promise(resolve => state.child.once('exit', resolve));
    signalGroup(state.child, this.#options.signal ?? 'SIGTERM');
    const timer = setTimeout(() => signalGroup(state.child, 'SIGKILL'), this.#options.grace ?? 500);
    await ended;
    clearTimeout(timer);
    signalGroup(state.child, 'SIGKILL');
  }

  async #spawn(): Promise<void> {
    const preparing: State = { kind: 'preparing' };
    this.#state = preparing;
    let command: Command;
    try {
      const made = this.#options.command(recent(this.#deaths, Date.now(), this.#options.policy).length);
      command = made instanceof Promise ? await made : made;
    } catch (error) {
      if (this.#state === preparing) this.#judge(`${this.#options.name} could not be prepared: ${String(error)}`);
      return;
    }
    if (this.#state !== preparing) return;
    const begun = Date.now();
    const child = spawn(command.file, command.args, {
      env: command.env,
      stdio: command.stdio ?? ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.#state = { kind: 'running', child };
    const tail = tailOf(child.stderr);
    let over = false;
    const end = (code: number | null, signal: NodeJS.Signals | null, why: string) => {
      if (over) return;
      over = true;
      this.#ended(child, { code, signal, lived: Date.now() - begun, deaths: 0 }, why);
    };
    child.on('error', error => end(null, null, error.message));
    child.on('exit', (code, signal) => end(code, signal, tail()));
    this.#options.log.info('program started', { program: this.#options.name, pid: child.pid });
    void this.#rise(child);
  }

  async #rise(child: ChildProcess): Promise<void> {
    try {
      await this.#options.started?.(child);
    } catch (error) {
      this.#options.log.warn('program not up', { program: this.#options.name, error: String(error) });
      signalGroup(child, 'SIGKILL');
      return;
    }
    if (this.#state.kind !== 'running' || this.#state.child !== child) return;
    this.#up = true;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  #ended(child: ChildProcess, exit: Exit, why: string): void {
    if (this.#state.kind !== 'running' || this.#state.child !== child) return;
    this.#up = false;
    signalGroup(child, 'SIGKILL');
    const { name, log, normal, died } = this.#options;
    log.warn('program ended', { program: name, code: exit.code, signal: exit.signal, lived_ms: exit.lived, why });
    if (normal?.(exit)) {
      died?.(exit);
      void this.#spawn();
      return;
    }
    this.#judge(`${name} ended with ${exit.signal ?? `code ${exit.code ?? 'none'}`}`, exit);
  }

  #judge(reason: string, exit: Exit = { code: null, signal: null, lived: 0, deaths: 0 }): void {
    const { name, log, policy, died, gaveUp } = this.#options;
    this.#deaths = [...recent(this.#deaths, Date.now(), policy), Date.now()];
    died?.({ ...exit, deaths: this.#deaths.length });
    const verdict = judge(this.#deaths, policy);
    if (!verdict.restart) {
      this.#state = { kind: 'failed' };
      log.warn('program given up', { program: name, reason });
      gaveUp?.(`${reason}, ${this.#deaths.length} times within ${policy.window / 1000} s`);
      return;
    }
    this.#state = { kind: 'waiting', timer: setTimeout(() => void this.#spawn(), verdict.delay) };
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Signals a process and all that it started; what is gone already is ignored. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended in the meantime.
  }
}
