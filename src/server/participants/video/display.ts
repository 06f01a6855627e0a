import type { Display, DisplayOptions } from '../../../protocol/generated/schemas.js';
import { QUALITY_CODES } from '../../../protocol/message-type.js';
import type { DisplayState } from '../../agent-link/index.js';

/** Of many resizes within this time only the last is carried out, ms. */
const RESIZE_DELAY_MS = 50;

/** What display the session has and should have. The display in force is what the helper says it is. */
export class DisplayControl {
  readonly #maxArea: number;
  readonly #send: (display: DisplayState) => void;
  #wanted: DisplayState;
  #inForce: DisplayState;
  /** Requests that the helper has not answered. */
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

  /** Asks for another size, pixels, after a moment; false where it is above the largest area. */
  resize(width: number, height: number): boolean {
    if (width * height > this.#maxArea) return false;
    clearTimeout(this.#resize);
    this.#resize = setTimeout(() => this.#want({ width, height }), RESIZE_DELAY_MS);
    return true;
  }

  /** Asks for 4:4:4 or 4:2:0 where that is not what is wanted already. */
  setChroma(chroma444: boolean): void {
    if (chroma444 !== this.#wanted.chroma444) this.#want({ chroma444 });
  }

  /** The helper has said what is in force. */
  confirm(display: DisplayState): void {
    this.#inForce = display;
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    if (this.#unanswered === 0) this.#wanted = display;
  }

  /** A new link: what an old one left unanswered is asked again. */
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
