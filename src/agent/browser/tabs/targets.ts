/** Fractions of the display. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** How long the display helper may take to answer, ms: one that is started again forgets what it was asked. */
const ANSWER_MS = 1000;

/** Asks the display helper whether the window that has the focus is at a place. */
export class Targets {
  readonly #ask: (place: Place) => void;
  /** Who waits for an answer, in the order of the questions. */
  readonly #waiting: ((isFocused: boolean) => void)[] = [];

  /** @param ask asks the helper, which answers in the order of the questions */
  constructor(ask: (place: Place) => void) {
    this.#ask = ask;
  }

  /** Whether it is there; false without an answer. */
  isFocusedAt(place: Place): Promise<boolean> {
    return new Promise(resolve => {
      const answer = (isFocused: boolean) => {
        clearTimeout(timer);
        resolve(isFocused);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(0);
        resolve(false);
      }, ANSWER_MS);
      this.#waiting.push(answer);
      this.#ask(place);
    });
  }

  /** The helper's answer. */
  answered(isFocused: boolean): void {
    this.#waiting.shift()?.(isFocused);
  }
}
