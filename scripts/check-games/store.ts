import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { line, note, summary } from './report.js';
import type { Result } from './result.js';
import { contactSheet } from './sheet.js';

/** The results of a run on disk, written as soon as they are available, so that another run can continue. */
export class Results {
  readonly #folder: string;
  readonly #results = new Map<string, Result>();
  #writing: Promise<void> = Promise.resolve();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the results of a folder; starts afresh unless they are to be continued. */
  static async open(folder: string, resume: boolean): Promise<Results> {
    await mkdir(join(folder, 'pictures'), { recursive: true });
    const results = new Results(folder);
    if (!resume) return results;
    const text = await readFile(join(folder, 'results.json'), 'utf8').catch(() => '[]');
    for (const result of JSON.parse(text) as Result[]) results.#results.set(result.name, result);
    return results;
  }

  has(name: string): boolean {
    // Results that say nothing about the program are retried.
    const result = this.#results.get(name);
    return result !== undefined && result.verdict !== 'failed';
  }

  get(name: string): Result | undefined {
    return this.#results.get(name);
  }

  get all(): Result[] {
    return [...this.#results.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Stores a program's result, and its picture, PNG. */
  async add(result: Result, picture: Buffer | null): Promise<void> {
    this.#results.set(result.name, result);
    if (picture !== null) await writeFile(this.#pictureOf(result), picture);
    await (this.#writing = this.#writing.then(() => this.#write()));
  }

  /** Writes the contact sheet and the table; returns the table. */
  async finish(): Promise<string> {
    const entries = this.all.map(async result => ({
      name: result.name,
      verdict: result.verdict,
      note: result.ended?.message ?? note(result),
      picture: await readFile(this.#pictureOf(result)).catch(() => null),
    }));
    await writeFile(join(this.#folder, 'sheet.png'), contactSheet(await Promise.all(entries)));
    const table = summary(this.all);
    await writeFile(join(this.#folder, 'results.txt'), [...this.all.map(line), '', table, ''].join('\n'));
    return table;
  }

  /** Sequentially and atomically: killing the process leaves the previous results. */
  async #write(): Promise<void> {
    const file = join(this.#folder, 'results.json');
    await writeFile(`${file}.new`, JSON.stringify(this.all, null, 1));
    await rename(`${file}.new`, file);
  }

  #pictureOf({ name }: Result): string {
    return join(this.#folder, 'pictures', `${encodeURIComponent(name).slice(-200)}.png`);
  }
}
