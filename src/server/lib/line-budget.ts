import { lineTime } from './line-time.js';

/** How many lines are written one by one in a minute; all others are counted. */
export interface LineLimits {
  /** Lines with the same key. */
  perKey: number;
  /** Lines of one address. */
  perAddress: number;
  /** Lines of all addresses. */
  total: number;
}

/** Lines that were only counted: those like `sample`, or an address's (null: several') if there were too many kinds. */
export interface Counted<T> {
  sample: T | null;
  address: string | null;
  count: number;
  /** Start of the minute, as lines have it. */
  since: string;
}

const WINDOW_MS = 60_000;

/** Kinds of lines that are counted separately, of one address and of all; the rest by address, then together. */
const KEYS_PER_ADDRESS = 100;
const KEYS = 2000;
const ADDRESSES = 2000;

interface AddressState {
  written: number;
  leftOut: number;
  keys: Map<string, { written: number; leftOut: number; sample: unknown }>;
}

/**
 * Bounds how many lines somebody can cause: those within the limits are written, and of the others one line for each
 * kind says once a minute how many there were. Memory is bounded, however many addresses there are.
 */
export class LineBudget<T> {
  readonly #limits: LineLimits;
  readonly #report: (counted: Counted<T>) => void;
  #addresses = new Map<string, AddressState>();
  #total = 0;
  #keys = 0;
  #others = 0;
  #begun = -Infinity;
  #since = '';
  #timer: NodeJS.Timeout | undefined;

  /** `report` is called for what was counted, at the end of its minute. */
  constructor(limits: LineLimits, report: (counted: Counted<T>) => void) {
    this.#limits = limits;
    this.#report = report;
  }

  /** Whether a line may be written; if not, it is counted. `sample` stands for all with this key. */
  admit(address: string, key: string, sample: T): boolean {
    const now = performance.now();
    if (now - this.#begun >= WINDOW_MS) this.#begin(now);
    const state = this.#stateOf(address);
    if (state === null) return this.#leftOut(() => this.#others++);
    let kind = state.keys.get(key);
    if (kind === undefined && state.keys.size < KEYS_PER_ADDRESS && this.#keys < KEYS) {
      kind = { written: 0, leftOut: 0, sample };
      state.keys.set(key, kind);
      this.#keys++;
    }
    const { perKey, perAddress, total } = this.#limits;
    if (kind !== undefined && kind.written < perKey && state.written < perAddress && this.#total < total) {
      kind.written++;
      state.written++;
      this.#total++;
      return true;
    }
    return this.#leftOut(() => (kind === undefined ? state.leftOut++ : kind.leftOut++));
  }

  /** Reports what was counted so far. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [addresses, others, since] = [this.#addresses, this.#others, this.#since];
    this.#addresses = new Map();
    this.#total = this.#keys = this.#others = 0;
    this.#begun = -Infinity;
    for (const [address, { keys, leftOut }] of addresses) {
      for (const { leftOut: count, sample } of keys.values())
        if (count > 0) this.#report({ sample: sample as T, address, count, since });
      if (leftOut > 0) this.#report({ sample: null, address, count: leftOut, since });
    }
    if (others > 0) this.#report({ sample: null, address: null, count: others, since });
  }

  #begin(now: number): void {
    this.flush();
    this.#begun = now;
    this.#since = lineTime();
  }

  #stateOf(address: string): AddressState | null {
    const known = this.#addresses.get(address);
    if (known !== undefined || this.#addresses.size >= ADDRESSES) return known ?? null;
    const state: AddressState = { written: 0, leftOut: 0, keys: new Map() };
    this.#addresses.set(address, state);
    return state;
  }

  #leftOut(count: () => void): false {
    count();
    this.#timer ??= setTimeout(() => this.flush(), WINDOW_MS - (performance.now() - this.#begun));
    this.#timer.unref();
    return false;
  }
}
