import { openDecoder, type AudioPacketDecoder } from './decoder.js';
import { openOutput, type AudioOutput } from './output.js';

/** How sound stands: `blocked` until the person allows it by a click, as browsers demand. */
export type AudioState = 'idle' | 'playing' | 'blocked' | 'failed';

const SETTLE_MS = 300;

interface Sound {
  decoder: AudioPacketDecoder;
  output: AudioOutput;
}

/** Where the parts are that are loaded when there is sound. */
export interface AudioAssets {
  worklet: string;
  decoder: string;
}

/** Plays Opus packets, or makes a track of them. Nothing is opened before the first one comes. */
export class AudioPlayer {
  readonly #assets: AudioAssets;
  readonly #changed: (state: AudioState) => void;
  #graph: { context: AudioContext; gain: GainNode } | null = null;
  #opened = false;
  #track: MediaStreamTrack | null = null;
  #sound: Sound | null = null;
  #state: AudioState = 'idle';
  #volume = 1;
  #stopped = false;

  constructor(assets: AudioAssets, changed: (state: AudioState) => void) {
    this.#assets = assets;
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
    if (this.#graph !== null) this.#graph.gain.gain.value = volume;
  }

  /** Takes a packet as it arrives. */
  offer(packet: Uint8Array): void {
    if (this.#stopped || this.#state === 'failed') return;
    if (!this.#opened) {
      this.#opened = true;
      this.#open().catch(() => this.#set('failed'));
    } else if (this.#graph?.context.state === 'running') {
      this.#sound?.decoder.decode(packet);
    }
  }

  /** Makes the sound a track, which then is not played here; null where sound was opened before. */
  openTrack(): MediaStreamTrack | null {
    if (this.#graph !== null || this.#stopped) return null;
    const context = newContext();
    const target = new MediaStreamAudioDestinationNode(context);
    this.#connect(context, target);
    return (this.#track = target.stream.getAudioTracks()[0] ?? null);
  }

  /** Starts sound that was blocked; to be called while a click or key press is handled. */
  async resume(): Promise<void> {
    await this.#graph?.context.resume();
  }

  stop(): void {
    this.#stopped = true;
    this.#close(this.#sound);
    this.#sound = null;
    this.#track?.stop();
    const context = this.#graph?.context;
    if (context !== undefined && context.state !== 'closed') void context.close();
  }

  async #open(): Promise<void> {
    const { context, gain } = this.#graph ?? this.#connect(newContext());
    const output = await openOutput(context, gain, this.#assets.worklet);
    const decoder = await openDecoder(
      channels => output.play(channels),
      () => this.#set('failed'),
      this.#assets.decoder,
    );
    if (this.#stopped) this.#close({ decoder, output });
    else this.#sound = { decoder, output };
  }

  #connect(context: AudioContext, target: AudioNode = context.destination): { context: AudioContext; gain: GainNode } {
    const gain = new GainNode(context, { gain: this.#volume });
    this.#graph = { context, gain };
    gain.connect(target);
    context.onstatechange = () => this.#stateOf(context);
    // A context starts suspended even where it may play: what lasts is what counts.
    setTimeout(() => this.#stateOf(context), SETTLE_MS);
    return this.#graph;
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

const newContext = () => new AudioContext({ sampleRate: 48_000, latencyHint: 'interactive' });
