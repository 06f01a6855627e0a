/** Samples in 10 ms at 48 kHz: one packet. */
export const PACKET_SAMPLES = 480;
/** Playing starts with this many packets, so that the next may come late. */
export const START_PACKETS = 3;
/** More than this is delay without use: the oldest are dropped. */
export const MAX_PACKETS = 8;
/** So many may wait all the time; what is above that and was not needed for a second is dropped as well. */
export const SPARE_PACKETS = 2;
const LOOK_EVERY_SAMPLES = 48_000;

/** A short stereo buffer between packets that come in bursts and a sound card that takes evenly. */
export class AudioRing {
  readonly #channels = [0, 1].map(() => new Float32Array((MAX_PACKETS + 1) * PACKET_SAMPLES));
  readonly #capacity = (MAX_PACKETS + 1) * PACKET_SAMPLES;
  #read = 0;
  #filled = 0;
  #playing = false;
  #waited = 0;
  /** The fewest that waited since it was looked at last, and how many were played since. */
  #fewest = Infinity;
  #played = 0;

  /** Samples that wait to be played. */
  get filled(): number {
    return this.#filled;
  }

  /** Appends samples; where they are too many, the oldest go. */
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

  /** Fills `output` with what is to be heard now: samples, or silence until enough have come. */
  read(output: readonly Float32Array[]): void {
    const wanted = output[0]?.length ?? 0;
    if (!this.#playing && this.#filled > 0) {
      // A sound shorter than the start is played too, after the time that its rest could have taken.
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

  /** Clocks that differ, and bursts, would make the sound later and later than the picture. */
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
