/** Samples in 10 ms at 48 kHz: one packet, or half of one of Android's. What follows is in units of it. */
export const PACKET_SAMPLES = 480;
/** Playback starts with this many packets, to absorb jitter. */
export const START_PACKETS = 3;
/** More than this is useless delay: the oldest packets are dropped. */
export const MAX_PACKETS = 8;
/** Sustained backlog that is tolerated; a surplus that was not needed for a second is dropped as well. */
export const SPARE_PACKETS = 2;
const LOOK_EVERY_SAMPLES = 48_000;

/** A short stereo jitter buffer between bursty packets and a sound card that consumes evenly. */
export class AudioRing {
  readonly #channels = [0, 1].map(() => new Float32Array((MAX_PACKETS + 1) * PACKET_SAMPLES));
  readonly #capacity = (MAX_PACKETS + 1) * PACKET_SAMPLES;
  #read = 0;
  #filled = 0;
  #playing = false;
  #waited = 0;
  /** The smallest backlog since the last check, and the number of samples played since then. */
  #fewest = Infinity;
  #played = 0;

  /** Samples waiting to be played. */
  get filled(): number {
    return this.#filled;
  }

  /** Appends samples; if there are too many, the oldest are dropped. */
  write(channels: readonly Float32Array[]): void {
    const [left, right = left] = channels;
    if (left === undefined || right === undefined) return;
    for (let i = 0; i < left.length; i++) {
      const at = (this.#read + this.#filled) % this.#capacity;
      this.#at(0)[at] = left[i] ?? 0;
      this.#at(1)[at] = right[i] ?? 0;
      if (this.#filled < this.#capacity) this.#filled++;
      else this.#read = (this.#read + 1) % this.#capacity;
    }
    if (this.#filled > MAX_PACKETS * PACKET_SAMPLES) this.#drop(this.#filled - START_PACKETS * PACKET_SAMPLES);
  }

  /** Fills `output` with samples, or with silence until enough have arrived. */
  read(output: readonly Float32Array[]): void {
    const wanted = output[0]?.length ?? 0;
    if (!this.#playing && this.#filled > 0) {
      // A sound shorter than the start threshold is played too, once the rest of it would have arrived.
      this.#waited += wanted;
      this.#playing = this.#filled >= START_PACKETS * PACKET_SAMPLES || this.#waited > START_PACKETS * PACKET_SAMPLES;
    }
    const count = this.#playing ? Math.min(wanted, this.#filled) : 0;
    for (const [channel, samples] of output.entries()) {
      const source = this.#at(channel % 2);
      for (let i = 0; i < count; i++) samples[i] = source[(this.#read + i) % this.#capacity] ?? 0;
      samples.fill(0, count);
    }
    this.#drop(count);
    this.#dropUnused(count);
    if (this.#filled === 0) {
      this.#playing = false;
      this.#waited = 0;
    }
  }

  /** Without this, clock drift and bursts would delay the audio more and more behind the video. */
  #dropUnused(played: number): void {
    this.#fewest = Math.min(this.#fewest, this.#filled);
    this.#played += played;
    if (this.#played < LOOK_EVERY_SAMPLES) return;
    this.#drop(Math.max(0, this.#fewest - SPARE_PACKETS * PACKET_SAMPLES));
    this.#fewest = Infinity;
    this.#played = 0;
  }

  #drop(count: number): void {
    this.#read = (this.#read + count) % this.#capacity;
    this.#filled -= count;
  }

  #at(channel: number): Float32Array {
    return this.#channels[channel] as Float32Array;
  }
}
