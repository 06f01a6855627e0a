/** Does one thing after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does something when all before it is done; resolves, or rejects, with what became of it. */
  take<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
