/** Does one thing after the other. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Does something when all before it is done; resolves, or rejects, with what became of it. */
  run<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
