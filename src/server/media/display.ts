import type { Display, DisplayOptions } from '../../protocol/generated/schemas.js';
import { QUALITY_CODES } from '../../protocol/message-type.js';
import type { DisplayState } from '../agent-link/index.js';

/** Debounce interval of resizes, ms: only the last one is carried out. */
const RESIZE_DELAY_MS = 50;

/** The session's actual and requested display mode. The actual mode is what the display helper reports. */
export class DisplayControl {
  readonly #maxArea: number;
  readonly #send: (display: DisplayState) => void;
  #wanted: DisplayState;
  #inForce: DisplayState;
  /** Requests that the helper has not answered yet. */
  #unanswered = 0;
  #resize: NodeJS.Timeout | undefined;

  constructor(options: DisplayOptions, send: (display: DisplayState) => void) {
    this.#maxArea = options.max_area;
    this.#send = send;
    const { width, height, fps, quality } = options;
    this.#wanted = { width, height, fps, quality: QUALITY_CODES[quality], chroma444: false };
    this.#inForce = this.#wanted;
  }

  get maxArea(): number {
    return this.#maxArea;
  }

  /** What viewers are told. */
  get message(): Display {
    const { width, height, fps } = this.#inForce;
    return { type: 'display', width, height, fps, max_area: this.#maxArea };
  }

  /** Requests another size, pixels, debounced; false if it exceeds the largest area. */
  resize(width: number, height: number): boolean {
    if (width * height > this.#maxArea) return false;
    clearTimeout(this.#resize);
    this.#resize = setTimeout(() => this.#want({ width, height }), RESIZE_DELAY_MS);
    return true;
  }

  /** Requests 4:4:4 or 4:2:0 unless that is already requested. */
  setChroma(chroma444: boolean): void {
    if (chroma444 !== this.#wanted.chroma444) this.#want({ chroma444 });
  }

  /** The helper has reported the actual mode. */
  confirm(display: DisplayState): void {
    this.#inForce = display;
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    if (this.#unanswered === 0) this.#wanted = display;
  }

  /** A new link: unanswered requests are repeated. */
  renew(): void {
    if (this.#unanswered === 0) return;
    this.#unanswered = 0;
    this.#want({});
  }

  stop(): void {
    clearTimeout(this.#resize);
  }

  #want(change: Partial<DisplayState>): void {
    this.#wanted = { ...this.#wanted, ...change };
    this.#unanswered++;
    this.#send(this.#wanted);
  }
}
