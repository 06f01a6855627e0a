import type { ChildProcess } from 'node:child_process';
import type { Handover } from '../handover/handover.js';
import type { Log } from '../lib/log.js';
import { judge, recent, type RestartPolicy } from './backoff.js';
import { identityOf, isAlive, isIdentity, statOf, type Identity } from './identity.js';
import { adopt } from './adopted.js';
import { launch, type Command, type Ending, type Running } from './running.js';
import { StderrPipe } from './stderr-pipe.js';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProgramOptions {
  readonly name: string;
  readonly log: Log;
  readonly policy: RestartPolicy;
  /** Makes the command before each start, given the number of recent deaths; may wait for what the program needs. */
  readonly command: (deaths: number) => Command | Promise<Command>;
  /** Called with each new process; the program is up when this has resolved. */
  readonly started?: (child: ChildProcess) => void | Promise<void>;
  /** Where its process is recorded for the next agent. Without it, the process ends with the agent. */
  readonly handover?: Handover | undefined;
  /** Called instead of `started` for a previous agent's process. Without it, such a process is not adopted. */
  readonly adopted?: () => void | Promise<void>;
  /** Milliseconds between looks at whether an adopted process still runs. Who waits for it looks at once. Default 500. */
  readonly lookEvery?: number;
  /** Called when the process has ended unexpectedly, before it is restarted, unless stop() is called in here. */
  readonly died?: (exit: Exit) => void;
  /** Whether an exit is the program's normal end, which does not count as a death: it is restarted immediately. */
  readonly normal?: (exit: Exit) => boolean;
  /** Called when it died too often. */
  readonly gaveUp?: (reason: string) => void;
  /** The signal of the graceful end in stop(). Default SIGTERM. */
  readonly polite?: NodeJS.Signals;
  /** Milliseconds between the graceful and the forced end in stop(). Default 500. */
  readonly grace?: number;
}

type State =
  | { type: 'stopped' }
  | { type: 'preparing' }
  | { type: 'running'; process: Running }
  | { type: 'ended' }
  | { type: 'waiting'; timer: NodeJS.Timeout }
  | { type: 'failed' };

/** Prefix of process records, followed by the program's name. */
const RECORDS = 'process-';

/** The processes recorded by previous agents, including those that have ended. */
export function recordedProcesses(handover: Handover): Identity[] {
  return handover.names().flatMap(name => (name.startsWith(RECORDS) ? (handover.read(name, isIdentity) ?? []) : []));
}

/** Keeps a program running: starts it, restarts it when it dies, ends it with all its children. */
export class Program {
  readonly #options: ProgramOptions;
  #state: State = { type: 'stopped' };
  #up = false;
  #deaths: number[] = [];
  #waiters: (() => void)[] = [];
  readonly #stderr: StderrPipe | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
    const pipe = options.handover?.pipe(options.name);
    this.#stderr = pipe === undefined ? undefined : new StderrPipe(pipe);
  }

  /** The process left by a previous agent, which may have ended since; undefined if there is none. */
  get left(): Identity | undefined {
    return this.#options.handover?.read(this.#record, isIdentity);
  }

  /** Process ID while it runs. */
  get pid(): number | undefined {
    return this.#state.type === 'running' ? this.#state.process.pid : undefined;
  }

  /** Starts it, unless it is already started. */
  start(): void {
    if (this.#state.type !== 'stopped') return;
    const { adopted } = this.#options;
    const left = adopted && this.left;
    if (left === undefined) void this.#spawn();
    else if (isAlive(left)) this.#watch(adopt(left, this.#options.lookEvery), () => adopted?.());
    else this.#died('ended while no agent was running', NO_EXIT);
  }

  /** Resolves when the program is up, now or after its next start. */
  whenUp(): Promise<void> {
    if (this.#isUp()) return Promise.resolve();
    if (this.#state.type === 'running') this.#state.process.look?.();
    return new Promise(resolve => this.#waiters.push(resolve));
  }

  /** Kills the running process, which is then restarted. */
  kill(): void {
    if (this.#state.type === 'running') this.#state.process.signal('SIGKILL');
  }

  /** Ends it permanently; resolves when its process is gone, by force after `grace` milliseconds. */
  async stop(grace = this.#options.grace ?? 500): Promise<void> {
    const state = this.#state;
    this.#state = { type: 'stopped' };
    this.#up = false;
    if (state.type === 'waiting') clearTimeout(state.timer);
    if (state.type !== 'running') return;
    state.process.ask(this.#options.polite ?? 'SIGTERM');
    const timer = setTimeout(() => state.process.signal('SIGKILL'), grace);
    await state.process.ended;
    clearTimeout(timer);
    state.process.signal('SIGKILL');
    this.forget();
  }

  /** No longer adopts what a previous agent left. */
  forget(): void {
    this.#options.handover?.remove(this.#record);
  }

  get #record(): string {
    return `${RECORDS}${this.#options.name}`;
  }

  async #spawn(): Promise<void> {
    const preparing: State = { type: 'preparing' };
    this.#state = preparing;
    let command: Command;
    try {
      const made = this.#options.command(recent(this.#deaths, performance.now(), this.#options.policy).length);
      // Awaited only if necessary: the first programs start before anything else.
      command = made instanceof Promise ? await made : made;
    } catch (error) {
      if (this.#state === preparing) this.#died(`could not be prepared: ${String(error)}`, NO_EXIT);
      return;
    }
    if (this.#state !== preparing) return;
    const running = launch(command, this.#stderr);
    const identity = running.pid === undefined ? undefined : identityOf(running.pid);
    if (identity !== undefined) this.#options.handover?.write(this.#record, identity);
    this.#watch(running, () => this.#options.started?.(running.child));
  }

  /** `begin` is called when the process counts as running, so that stop() in there ends it. */
  #watch(running: Running, begin: () => void | Promise<void>): void {
    const begun = performance.now();
    this.#state = { type: 'running', process: running };
    this.#options.log.info('program started', { program: this.#options.name, pid: running.pid });
    const up = (async () => begin())();
    up.then(
      () => this.#rise(running),
      (error: unknown) => {
        this.#options.log.warn('program failed to come up', { program: this.#options.name, error: String(error) });
        running.signal('SIGKILL');
      },
    );
    void running.ended.then(ending => this.#ended(running, ending, Math.round(performance.now() - begun)));
  }

  /** The end of an adopted process is noticed late: its current state tells immediately. */
  #isUp(): boolean {
    return this.#up && this.pid !== undefined && statOf(this.pid)?.isDead === false;
  }

  #isCurrent = (running: Running) => this.#state.type === 'running' && this.#state.process === running;

  #rise(running: Running): void {
    if (!this.#isCurrent(running)) return;
    this.#up = true;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  #ended(running: Running, { code, signal, why }: Ending, lived: number): void {
    if (!this.#isCurrent(running)) return;
    this.#up = false;
    running.signal('SIGKILL');
    const { name, log, normal } = this.#options;
    log.warn('program ended', { program: name, code, signal, lived_ms: lived, why });
    if (normal?.({ code, signal })) {
      if (this.#goesOn({ code, signal })) void this.#spawn();
      return;
    }
    this.#died(`ended with ${signal ?? `code ${code ?? 'unknown'}`}`, { code, signal });
  }

  #died(how: string, exit: Exit): void {
    const { name, log, policy, gaveUp } = this.#options;
    this.#deaths = [...recent(this.#deaths, performance.now(), policy), performance.now()];
    if (!this.#goesOn(exit)) return;
    const verdict = judge(this.#deaths, policy);
    if (verdict.restart) {
      this.#state = { type: 'waiting', timer: setTimeout(() => void this.#spawn(), verdict.delay) };
      return;
    }
    this.#state = { type: 'failed' };
    log.warn('program given up', { program: name, how });
    gaveUp?.(`${name} ${how}, ${this.#deaths.length} times within ${policy.window / 1000} s`);
  }

  /** Reports an end; returns whether the program was not stopped because of it. */
  #goesOn(exit: Exit): boolean {
    const ended: State = { type: 'ended' };
    this.#state = ended;
    this.#options.died?.(exit);
    return this.#state === ended;
  }
}

const NO_EXIT: Exit = { code: null, signal: null };
