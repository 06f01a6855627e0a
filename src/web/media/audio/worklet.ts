import { AudioRing } from './ring.js';

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Plays what the page posts to it: arrays of samples, one per channel. `null` ends it. */
class BerthAudio extends AudioWorkletProcessor {
  readonly #ring = new AudioRing();
  #ended = false;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<Float32Array[] | null>) => {
      if (data === null) this.#ended = true;
      else this.#ring.write(data);
    };
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    this.#ring.read(outputs[0] ?? []);
    return !this.#ended;
  }
}

registerProcessor('berth-audio', BerthAudio);
