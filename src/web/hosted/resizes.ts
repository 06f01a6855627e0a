import type { Size } from '../lib/geometry.js';
import { CallError } from '../sdk/errors.js';

/** Codes of the service's refusals to resize. */
const REFUSALS: ReadonlySet<string> = new Set(['role_required', 'not_resizable', 'too_large']);

interface Waiting {
  size: Size;
  resolve(): void;
  reject(error: CallError): void;
}

/** Resizes that were asked for: each is done when the display has its size, and fails if the service refuses it. */
export class Resizes {
  #waiting: Waiting[] = [];
  #size: Size = { width: 0, height: 0 };

  /** @param ask asks the service for it; it may throw */
  async ask(size: Size, ask: () => void): Promise<void> {
    ask();
    if (isSame(size, this.#size)) return;
    return new Promise((resolve, reject) => this.#waiting.push({ size, resolve, reject }));
  }

  /** The display has this size now. */
  sized(size: Size): void {
    this.#size = size;
    // Those before one that is done were overtaken by it.
    const done = this.#waiting.findLastIndex(each => isSame(each.size, size)) + 1;
    for (const { resolve } of this.#waiting.splice(0, done)) resolve();
  }

  /** The service has refused something. */
  refused(error: CallError): void {
    if (REFUSALS.has(error.code)) this.#waiting.shift()?.reject(error);
  }

  /** The connection is gone, and what was asked for with it. */
  lost(): void {
    const error = new CallError('connection_lost', 'The connection to the session was lost; try again.');
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

const isSame = (a: Size, b: Size) => a.width === b.width && a.height === b.height;
