import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { tailOf } from './tail.js';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/**
 * What a program writes to its standard error, through a pipe that the container's start script holds open: one of the
 * agent's own would break when the agent is killed, and with it programs that write to it.
 */
export class Words {
  readonly #path: string;
  readonly #tail: () => string;

  /** `descriptor`: of the pipe, as the start script has left it. */
  constructor(descriptor: number) {
    this.#path = `/proc/self/fd/${descriptor}`;
    const source = new Socket({ fd: openSync(this.#path, O_RDONLY | O_NONBLOCK), readable: true, writable: false });
    this.#tail = tailOf(source);
    source.unref();
  }

  /** Makes the descriptor for a new process; what nobody reads is dropped instead of holding the process up. */
  give<T>(to: (descriptor: number) => T): T {
    const descriptor = openSync(this.#path, O_WRONLY | O_NONBLOCK);
    try {
      return to(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** The last of them. */
  get last(): string {
    return this.#tail();
  }
}
