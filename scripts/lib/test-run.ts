import { randomInt } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { MEASURED_ON, durationText, USUAL_SECONDS } from './durations.js';
import type { Phase } from './phases.js';
import { runPhase } from './run-phase.js';
import { run } from './steps.js';
import { add, noTests, summary, type TestCounts } from './test-results.js';

const SUMMARY_FILE = '.tap/summary';

/**
 * A run of steps and test phases, in sequence. Prints the result of each, and for long ones the usual and the actual
 * duration.
 */
export class TestRun {
  readonly #ending = new AbortController();
  /** Aborted when the run is interrupted or takes too long. */
  readonly ended = this.#ending.signal;
  /**
   * The environment without anything that would configure the service under test, and with the seed of all that draws
   * at random.
   */
  readonly env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(BERTH|TAP)_/.test(name))),
    NO_COLOR: '1',
    FUZZ_SEED: process.env['FUZZ_SEED'] ?? String(randomInt(2 ** 31)),
  };
  #total = noTests();
  #tests = 0;
  /** Failures, repeated at the end of the output: after a long run they are far above. */
  readonly #failed: string[] = [];
  /** Tests that failed and passed when they were run again, with the failure. */
  readonly #unsteady: string[] = [];

  /** Begins a run, which `limitMs` ends with a summary; what has not run by then fails. */
  static async begin(limitMs: number): Promise<TestRun> {
    await rm(SUMMARY_FILE, { force: true });
    return new TestRun(limitMs);
  }

  private constructor(limitMs: number) {
    setTimeout(() => this.#ending.abort('the tests took too long and were ended'), limitMs).unref();
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

  /** Runs the files of a phase, with `env` added to their environment; after the end of the run all of them fail. */
  async phase(phase: Phase, env: Record<string, string> = {}): Promise<void> {
    const usual = `${durationText(USUAL_SECONDS[phase.name] ?? 0)} (${MEASURED_ON})`;
    const expected = phase.whole ? `usually about ${usual}` : `the whole phase usually takes about ${usual}`;
    console.log(`\n# ${phase.name}: ${phase.files.length} ${phase.files.length === 1 ? 'file' : 'files'}, ${expected}`);
    const [begun, load] = [performance.now(), processorLoad()];
    const { counts, failed, unsteady } = await runPhase(phase, { ...this.env, ...env }, this.ended);
    console.log(`# ${phase.name} took ${since(begun)}, with the processors ${load()} % busy`);
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
    list('failed, and passed when run again: each is a bug to find', this.#unsteady);
    list('failed', this.#failed);
    if (this.#failed.length + this.#unsteady.length > 0) {
      console.log(`\n# what drew at random did so by FUZZ_SEED=${this.env['FUZZ_SEED']}`);
    }
    const unsteady = this.#unsteady.length > 0 ? `${this.#unsteady.length} unsteady\n` : '';
    const lines = `${unsteady}${summary(this.#total)}`;
    await mkdir('.tap', { recursive: true });
    await writeFile(SUMMARY_FILE, `${lines}\n`);
    console.log(`\n${lines}`);
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

/** From now on: how much of the machine's processors' time is used by anything, in percent. */
function processorLoad(): () => number {
  const times = () => cpus().flatMap(({ times }) => Object.entries(times));
  const sum = (wanted: (state: string) => boolean) =>
    times().reduce((total, [state, ms]) => total + (wanted(state) ? ms : 0), 0);
  const isBusy = (state: string) => state !== 'idle';
  const [all, busy] = [sum(() => true), sum(isBusy)];
  return () => Math.round((100 * (sum(isBusy) - busy)) / Math.max(1, sum(() => true) - all));
}

const since = (begun: number): string => durationText((performance.now() - begun) / 1000);
