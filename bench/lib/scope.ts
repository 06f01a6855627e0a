/** Collects what must be undone at the end, like tap's teardown. */
export class Scope {
  readonly #handlers: (() => unknown)[] = [];

  teardown(handler: () => unknown): void {
    this.#handlers.push(handler);
  }

  /** Undoes everything, newest first. A failure does not prevent the others. */
  async close(): Promise<void> {
    for (let handler = this.#handlers.pop(); handler; handler = this.#handlers.pop()) {
      try {
        await handler();
      } catch (error) {
        console.error(`not undone: ${String(error)}`);
      }
    }
  }
}

/** Runs a benchmark and undoes what it started, even if it fails or is interrupted. */
export async function bench(title: string, run: (scope: Scope) => Promise<void>): Promise<void> {
  const scope = new Scope();
  const interrupt = () => void scope.close().then(() => process.exit(130));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  console.log(title);
  try {
    await run(scope);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  await scope.close();
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
}
