import { close, copyFile, fstat, ftruncate, open, rename, write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const files = {
  close: promisify(close),
  copy: promisify(copyFile),
  fstat: promisify(fstat),
  open: promisify(open),
  rename: promisify(rename),
  truncate: promisify(ftruncate),
  write: promisify(write),
};

/** Bytes of a channel's lines that are kept while they cannot be written; half of them for those that matter less. */
const KEPT_BYTES = 4 << 20;
/** Largest single write, bytes. */
const BATCH_BYTES = 64 << 10;
/** Pauses before a retry, ms: after a reader did not read, and after any other failure, such as a full disk. */
const BUSY_MS = 20;
const FAILED_MS = 1000;
/** How long the end of the process may be delayed for lines that are left, ms. */
const LAST_MS = 250;

/** A file is moved to `<path>.1` once it has `maxBytes`, that one to `<path>.2`, and so on; the oldest is deleted. */
export interface Rotation {
  path: string;
  maxBytes: number;
  /** How many older files are kept. */
  keep: number;
  /** The file is copied and emptied instead, since its descriptor is shared with others. */
  inPlace?: boolean;
}

/** One kind of lines of a writer, with a budget of its own. */
export interface Channel {
  /** Appends a line, which ends with a line feed, unless its budget is used up. Never waits. */
  write(line: string, matters?: boolean): void;
}

interface Line {
  bytes: Buffer;
  channel: ChannelState;
}

interface ChannelState {
  bytes: number;
  leftOut: number;
  notice(count: number): string;
}

/**
 * Writes lines to a descriptor without ever waiting for it: what a reader that stalls or a full disk does not take is
 * kept up to a limit, then left out and counted, which is said in its place once lines are written again. (pino's own
 * destination knows one budget, does not rotate, and never returns from the end of a process whose disk is full.)
 */
export class LineWriter {
  #fd: number;
  readonly #rotation: Rotation | null;
  readonly #channels: ChannelState[] = [];
  #lines: Line[] = [];
  /** What is being written, and whether a call of the system is writing it now. */
  #batch: Buffer | null = null;
  #isInSystem = false;
  #written: Promise<void> | null = null;
  #size: number | null = null;
  readonly #gaveUp = new AbortController();
  readonly #atExit = () => this.#writeLast();

  /** @param fd a descriptor; a pipe or a socket should not be blocking */
  constructor(fd: number, rotation: Rotation | null = null) {
    this.#fd = fd;
    this.#rotation = rotation;
    process.on('exit', this.#atExit);
  }

  /** Adds a kind of lines. `notice`: the line that says how many were left out. */
  channel(notice: (count: number) => string, keptBytes = KEPT_BYTES): Channel {
    const state: ChannelState = { bytes: 0, leftOut: 0, notice };
    this.#channels.push(state);
    return {
      write: (line, matters = false) => {
        const bytes = Buffer.from(line);
        if (this.#gaveUp.signal.aborted) return;
        if (state.bytes + bytes.length > (matters ? keptBytes : keptBytes / 2)) state.leftOut++;
        else this.#append(bytes, state);
      },
    };
  }

  /** Resolves when everything was written, at the latest after `ms`; what is left then is lost. */
  async end(ms: number): Promise<void> {
    const late = new AbortController();
    await Promise.race([this.#written, sleep(ms, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    this.#gaveUp.abort();
    process.off('exit', this.#atExit);
  }

  /** Ends, and closes the descriptor. */
  async close(ms: number): Promise<void> {
    await this.end(ms);
    // What the system has not finished by now may take for ever.
    if (!this.#isInSystem) await files.close(this.#fd);
  }

  #append(bytes: Buffer, channel: ChannelState): void {
    channel.bytes += bytes.length;
    this.#lines.push({ bytes, channel });
    // Later, with all lines that are added meanwhile.
    this.#written ??= Promise.resolve().then(() => this.#run());
  }

  async #run(): Promise<void> {
    try {
      while (this.#lines.length > 0 && !this.#gaveUp.signal.aborted) {
        this.#batch = this.#nextBatch();
        await this.#writeBatch();
        this.#tellLeftOut();
        await this.#rotate();
      }
    } finally {
      this.#batch = null;
      this.#written = null;
    }
  }

  #nextBatch(): Buffer {
    let bytes = 0;
    const count = this.#lines.findIndex(line => (bytes += line.bytes.length) > BATCH_BYTES);
    const taken = this.#lines.splice(0, count === -1 ? this.#lines.length : Math.max(1, count));
    for (const { bytes, channel } of taken) channel.bytes -= bytes.length;
    return Buffer.concat(taken.map(line => line.bytes));
  }

  async #writeBatch(): Promise<void> {
    while (this.#batch !== null && this.#batch.length > 0 && !this.#gaveUp.signal.aborted) {
      try {
        this.#isInSystem = true;
        const { bytesWritten } = await files.write(this.#fd, this.#batch).finally(() => (this.#isInSystem = false));
        this.#batch = this.#batch.subarray(bytesWritten);
        if (this.#size !== null) this.#size += bytesWritten;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        await sleep(code === 'EAGAIN' ? BUSY_MS : FAILED_MS, undefined, { signal: this.#gaveUp.signal }).catch(
          () => {},
        );
      }
    }
  }

  #tellLeftOut(): void {
    for (const channel of this.#channels) {
      if (channel.leftOut === 0) continue;
      const bytes = Buffer.from(channel.notice(channel.leftOut));
      channel.leftOut = 0;
      channel.bytes += bytes.length;
      this.#lines.push({ bytes, channel });
    }
  }

  /** Begins a new file if this one is full. If that fails, this one goes on. */
  async #rotate(): Promise<void> {
    if (this.#rotation === null) return;
    const { path, maxBytes, keep, inPlace = false } = this.#rotation;
    try {
      this.#size ??= (await files.fstat(this.#fd)).size;
      if (this.#size < maxBytes) return;
      // Somebody else may have emptied it.
      this.#size = (await files.fstat(this.#fd)).size;
      if (this.#size < maxBytes) return;
      for (let n = keep - 1; n >= 1; n--) await files.rename(`${path}.${n}`, `${path}.${n + 1}`).catch(() => {});
      if (inPlace) {
        await files.copy(path, `${path}.1`);
        await files.truncate(this.#fd, 0);
      } else {
        await files.rename(path, `${path}.1`);
        const before = this.#fd;
        this.#fd = await files.open(path, 'a', 0o600);
        await files.close(before);
      }
    } catch {
      // Tried again after another `maxBytes`.
    }
    this.#size = 0;
  }

  /** At the end of the process, where nothing can be waited for. */
  #writeLast(): void {
    // The system finishes what it has.
    const rest = this.#isInSystem || this.#batch === null ? [] : [this.#batch];
    let bytes = Buffer.concat([...rest, ...this.#lines.map(line => line.bytes)]);
    this.#lines = [];
    const begun = performance.now();
    while (bytes.length > 0 && performance.now() - begun < LAST_MS) {
      try {
        bytes = bytes.subarray(writeSync(this.#fd, bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  }
}
