import { watch, type FSWatcher } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A file counts as complete when it has not changed for this many milliseconds. */
const SETTLE = 250;

/** Maximum number of names tracked; a program that creates more files is not downloading. */
const PENDING_MAX = 256;

/** Endings that Chromium gives to incomplete downloads, and to files that a page is writing. */
const ENDINGS = ['.crdownload', '.crswap'];

const isIncomplete = (name: string) => name.startsWith('.') || ENDINGS.some(ending => name.endsWith(ending));

export interface SettledFile {
  readonly name: string;
  readonly size: number;
  /** Changes if another file takes the name, or the same file is rewritten. */
  readonly version: string;
}

export interface SettledHandler {
  complete(file: SettledFile): void;
  gone(name: string): void;
}

/** Watches a folder for complete files; links and folders are ignored. */
export class SettledFiles {
  readonly #folder: string;
  readonly #handler: SettledHandler;
  readonly #pending = new Map<string, { timer: NodeJS.Timeout; version: string | undefined }>();
  readonly #watcher: FSWatcher;

  constructor(folder: string, handler: SettledHandler) {
    this.#folder = folder;
    this.#handler = handler;
    this.#watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name !== null) this.#changed(name);
    });
    this.#watcher.on('error', () => undefined);
  }

  /** Checks everything in the folder, or previously under these names, as if it had just changed. */
  async lookAt(names: readonly string[]): Promise<void> {
    for (const name of new Set([...names, ...(await readdir(this.#folder).catch(() => []))])) this.#changed(name);
  }

  stop(): void {
    this.#watcher.close();
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
  }

  #changed(name: string): void {
    if (isIncomplete(name) || this.#pending.has(name) || this.#pending.size >= PENDING_MAX) return;
    this.#lookLater(name, undefined);
  }

  #lookLater(name: string, version: string | undefined): void {
    const timer = setTimeout(() => void this.#look(name, version), SETTLE);
    this.#pending.set(name, { timer, version });
  }

  async #look(name: string, before: string | undefined): Promise<void> {
    const stat = await lstat(join(this.#folder, name)).catch(() => null);
    if (!this.#pending.has(name)) return;
    const version = stat?.isFile() ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : undefined;
    if (stat === null || version === undefined) {
      this.#pending.delete(name);
      this.#handler.gone(name);
    } else if (version !== before || (await this.#isPartial(name))) {
      this.#lookLater(name, version);
    } else {
      this.#pending.delete(name);
      this.#handler.complete({ name, size: stat.size, version });
    }
  }

  /** Chromium may reserve the name of a file whose content it still writes under another name. */
  async #isPartial(name: string): Promise<boolean> {
    const names: string[] = await readdir(this.#folder).catch(() => []);
    return ENDINGS.some(ending => names.includes(name + ending));
  }
}
