import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { tailOf } from './tail.js';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/**
 * A program's standard error, through a pipe that the container's start script holds open: one of the agent's own would
 * break when the agent is killed, and with it programs that write to it.
 */
export class StderrPipe {
  readonly #path: string;
  readonly #tail: () => string;

  /** `descriptor`: of the pipe, as left by the start script. */
  constructor(descriptor: number) {
    this.#path = `/proc/self/fd/${descriptor}`;
    const source = new Socket({ fd: openSync(this.#path, O_RDONLY | O_NONBLOCK), readable: true, writable: false });
    this.#tail = tailOf(source);
    source.unref();
  }

  /** Makes the descriptor for a new process; unread output is dropped instead of blocking the process. */
  withWriter<T>(to: (descriptor: number) => T): T {
    const descriptor = openSync(this.#path, O_WRONLY | O_NONBLOCK);
    try {
      return to(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** The last output. */
  get lastText(): string {
    return this.#tail();
  }
}
