/** Key frames come at most this often, in milliseconds. */
export const KEYFRAME_INTERVAL = 250;

/** Passes requests for key frames: the first at once, further ones together when the time has come. */
export class KeyframeRequests {
  readonly #ask: () => void;
  #timer: NodeJS.Timeout | undefined;
  #pending = false;

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  request(): void {
    if (this.#timer) {
      this.#pending = true;
      return;
    }
    this.#ask();
    this.#timer = setTimeout(() => this.#elapsed(), KEYFRAME_INTERVAL);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending = false;
  }

  #elapsed(): void {
    this.#timer = undefined;
    if (!this.#pending) return;
    this.#pending = false;
    this.request();
  }
}
