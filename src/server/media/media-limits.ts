import type { Layer } from '../agent-link/index.js';
import { TokenBucket } from '../lib/token-bucket.js';

/** Allowance above what a healthy agent sends. */
const MARGIN = 1.25;
/** Frames beside those at the session's rate: such that refine a still picture, key frames. */
const FURTHER_FRAMES = 5;
/** A network that stalls for so long delivers all that it held at once, seconds. */
const STALL_S = 3;

/** Highest frame rate of the small layer, packets of sound and patches of a healthy agent, per second. */
const SMALL_FPS = 30;
const AUDIO_PACKETS = 100;
const PATCHES = 20;

const bucket = (perSecond: number) => new TokenBucket(perSecond, perSecond * STALL_S);

/**
 * What of a session's media is distributed. Each message is sent to all viewers, so that an agent that sends many of them
 * would take all of the event loop. The limits are near what a healthy agent sends, however many viewers there are.
 */
export class MediaLimits {
  readonly #frames: Record<Layer, TokenBucket>;
  readonly #audio = bucket(AUDIO_PACKETS * MARGIN);
  readonly #patches = bucket(PATCHES * MARGIN);

  /** `fps`: the highest frame rate of the session. */
  constructor(fps: number) {
    const frames = (rate: number) => bucket(rate * MARGIN + FURTHER_FRAMES);
    this.#frames = { full: frames(fps), small: frames(SMALL_FPS) };
  }

  /** Whether a frame is within the limits. */
  takesFrame(layer: Layer, now: number): boolean {
    return this.#frames[layer].take(now);
  }

  takesAudio(now: number): boolean {
    return this.#audio.take(now);
  }

  takesPatch(now: number): boolean {
    return this.#patches.take(now);
  }
}
