import { openDecoder, type AudioPacketDecoder } from './decoder.js';
import { openOutput, type AudioOutput } from './output.js';

/** How sound stands: `blocked` until the person allows it by a click, as browsers demand. */
export type AudioState = 'idle' | 'playing' | 'blocked' | 'failed';

const SETTLE_MS = 300;

interface Sound {
  decoder: AudioPacketDecoder;
  output: AudioOutput;
}

/** Plays Opus packets. Nothing is opened before the first one comes. */
export class AudioPlayer {
  readonly #workletUrl: string;
  readonly #changed: (state: AudioState) => void;
  #context: AudioContext | null = null;
  #gain: GainNode | null = null;
  #sound: Sound | null = null;
  #state: AudioState = 'idle';
  #volume = 1;
  #stopped = false;

  constructor(workletUrl: string, changed: (state: AudioState) => void) {
    this.#workletUrl = workletUrl;
    this.#changed = changed;
  }

  get state(): AudioState {
    return this.#state;
  }

  /** From 0 to 1. */
  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    this.#volume = volume;
    if (this.#gain !== null) this.#gain.gain.value = volume;
  }

  /** Takes a packet as it arrives. */
  offer(packet: Uint8Array): void {
    if (this.#stopped || this.#state === 'failed') return;
    if (this.#context === null) {
      this.#open().catch(() => this.#set('failed'));
    } else if (this.#context.state === 'running') {
      this.#sound?.decoder.decode(packet);
    }
  }

  /** Starts sound that was blocked; to be called while a click or key press is handled. */
  async resume(): Promise<void> {
    await this.#context?.resume();
  }

  stop(): void {
    this.#stopped = true;
    this.#close(this.#sound);
    this.#sound = null;
    if (this.#context !== null && this.#context.state !== 'closed') void this.#context.close();
  }

  async #open(): Promise<void> {
    const context = new AudioContext({ sampleRate: 48_000, latencyHint: 'interactive' });
    this.#context = context;
    const gain = new GainNode(context, { gain: this.#volume });
    this.#gain = gain;
    gain.connect(context.destination);
    context.onstatechange = () => this.#stateOf(context);
    // A context starts suspended even where it may play: what lasts is what counts.
    setTimeout(() => this.#stateOf(context), SETTLE_MS);
    const output = await openOutput(context, gain, this.#workletUrl);
    const decoder = await openDecoder(
      channels => output.play(channels),
      () => this.#set('failed'),
    );
    if (this.#stopped) this.#close({ decoder, output });
    else this.#sound = { decoder, output };
  }

  #stateOf(context: AudioContext): void {
    if (this.#stopped || this.#state === 'failed') return;
    this.#set(context.state === 'running' ? 'playing' : 'blocked');
  }

  #set(state: AudioState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed(state);
  }

  #close(sound: Sound | null): void {
    sound?.decoder.stop();
    sound?.output.stop();
  }
}
