interface Flight {
  controller: AbortController;
  landed: Promise<void>;
  land(): void;
}

/** Starts that this process is carrying out. */
export class InFlight {
  readonly #flights = new Map<string, Flight>();

  /** Registers a start; its signal aborts with `abort`. */
  begin(sessionId: string): AbortSignal {
    let land = () => {};
    const landed = new Promise<void>(resolve => (land = resolve));
    const controller = new AbortController();
    this.#flights.set(sessionId, { controller, landed, land });
    return controller.signal;
  }

  end(sessionId: string): void {
    this.#flights.get(sessionId)?.land();
    this.#flights.delete(sessionId);
  }

  has(sessionId: string): boolean {
    return this.#flights.has(sessionId);
  }

  /** Aborts a start if it is still in progress. */
  abort(sessionId: string, reason: Error): void {
    this.#flights.get(sessionId)?.controller.abort(reason);
  }

  abortAll(reason: Error): void {
    for (const { controller } of this.#flights.values()) controller.abort(reason);
  }

  /** Resolves when a start has succeeded or failed; null if this process is not carrying it out. */
  landing(sessionId: string): Promise<void> | null {
    return this.#flights.get(sessionId)?.landed ?? null;
  }

  /** Resolves when no start is in progress. */
  async idle(): Promise<void> {
    await Promise.all([...this.#flights.values()].map(({ landed }) => landed));
  }
}
