/** Lets viewers wait for a session that the service is about to take over, for example after its restart. */
export class AwaitedSessions {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves when the session is announced, after `timeoutMs`, or on `stop`. */
  wait(sessionId: string, timeoutMs: number): Promise<void> {
    return new Promise(resolve => {
      const waiting = this.#waiting.get(sessionId) ?? new Set();
      this.#waiting.set(sessionId, waiting);
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0 && this.#waiting.get(sessionId) === waiting) this.#waiting.delete(sessionId);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      waiting.add(done);
    });
  }

  announce(sessionId: string): void {
    for (const done of [...(this.#waiting.get(sessionId) ?? [])]) done();
  }

  stop(): void {
    for (const sessionId of [...this.#waiting.keys()]) this.announce(sessionId);
  }
}
