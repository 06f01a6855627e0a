import { mkdir, rm, writeFile } from 'node:fs/promises';
import { MEASURED_ON, durationText, USUAL_SECONDS } from './durations.js';
import { runPhase } from './run-phase.js';
import type { Slots } from './slots.js';
import { run } from './steps.js';
import { add, noTests, summary, type TestCounts } from './test-counts.js';
import type { Phase } from './test-files.js';

const SUMMARY_FILE = '.tap/summary';

/** How long a run may take, milliseconds. */
interface Limits {
  budgetMs: number;
  deadlineMs: number;
}

/**
 * A run of steps and test phases, in sequence. Prints the result of each, and for long ones the usual and the actual
 * duration.
 */
export class TestRun {
  readonly #ending = new AbortController();
  /** When files are no longer begun, by `performance.now()`. */
  readonly #until: number;
  /** Aborted when the run is interrupted or takes too long. */
  readonly ended = this.#ending.signal;
  /** The environment without anything that would configure the service under test. */
  readonly env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(BERTH|TAP)_/.test(name))),
    NO_COLOR: '1',
  };
  #total = noTests();
  #tests = 0;
  /** What failed, said again at the end: after a long run it is far above. */
  readonly #failed: string[] = [];
  /** What failed, and passed when it was run again. */
  readonly #unsteady: string[] = [];

  /** Begins a run. After `budgetMs` it begins no more files; `deadlineMs` ends one that hangs, with a summary. */
  static async begin({ budgetMs, deadlineMs }: Limits): Promise<TestRun> {
    await rm(SUMMARY_FILE, { force: true });
    return new TestRun({ budgetMs, deadlineMs });
  }

  private constructor({ budgetMs, deadlineMs }: Limits) {
    this.#until = performance.now() + budgetMs;
    setTimeout(() => this.#ending.abort('the tests took too long and were ended'), deadlineMs).unref();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => this.#ending.abort(`the tests were ended by ${signal}`));
    }
  }

  count(counts: TestCounts): void {
    this.#total = add(this.#total, counts);
  }

  /** A command or other work that counts as one test; resolves with whether it passed. */
  async step(name: string, work: () => Promise<boolean>): Promise<boolean> {
    const usual = USUAL_SECONDS[name];
    if (usual !== undefined) console.log(`        ${name}: usually about ${durationText(usual)} (${MEASURED_ON})`);
    const begun = performance.now();
    const ok = await work();
    console.log(`${ok ? 'ok    ' : 'not ok'}  ${name}${usual === undefined ? '' : ` (${since(begun)})`}`);
    this.count({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
    if (!ok) this.#failed.push(name);
    return ok;
  }

  /** A step that is a command, ended with the run. */
  command(name: string, command: string, ...args: string[]): Promise<boolean> {
    return this.step(name, () => run(command, args, this.env, this.ended));
  }

  /** Runs the files of a phase; `env` is added to their environment, `slots` are shared with phases beside it. */
  async phase(
    phase: Phase,
    { env = {}, slots }: { env?: Record<string, string>; slots?: Slots | undefined } = {},
  ): Promise<void> {
    const usual = `${durationText(USUAL_SECONDS[phase.name] ?? 0)} (${MEASURED_ON})`;
    const expected = phase.whole ? `usually about ${usual}` : `the whole phase usually takes about ${usual}`;
    console.log(`\n# ${phase.name}: ${phase.files.length} ${phase.files.length === 1 ? 'file' : 'files'}, ${expected}`);
    const begun = performance.now();
    const run = { env: { ...this.env, ...env }, slots, until: this.#until };
    const { counts, failed, unsteady } = await runPhase(phase, run, this.ended);
    console.log(`# ${phase.name} took ${since(begun)}`);
    this.#failed.push(...failed);
    this.#unsteady.push(...unsteady);
    this.#tests += counts.passed + counts.failed;
    this.count(counts);
  }

  /**
   * Prints what failed, also what passed later, and the summary, keeps the latter in .tap/summary, and sets the exit
   * code: 1 if anything failed or no test ran.
   */
  async finish(): Promise<void> {
    if (this.ended.aborted) this.#fail(String(this.ended.reason));
    if (this.#tests === 0) this.#fail('no test ran');
    list('failed, and passed when run again', this.#unsteady);
    list('failed', this.#failed);
    await mkdir('.tap', { recursive: true });
    await writeFile(SUMMARY_FILE, `${summary(this.#total)}\n`);
    console.log(`\n${summary(this.#total)}`);
    process.exitCode = this.#total.failed > 0 ? 1 : 0;
  }

  #fail(reason: string): void {
    console.log(`not ok  ${reason}`);
    this.#failed.push(reason);
    this.count({ passed: 0, failed: 1, skipped: 0 });
  }
}

function list(what: string, names: readonly string[]): void {
  if (names.length > 0) console.log([`\n# ${what}:`, ...names.map(name => `✖ ${name}`)].join('\n'));
}

const since = (begun: number): string => durationText((performance.now() - begun) / 1000);
