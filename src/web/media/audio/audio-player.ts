import { openDecoder, type AudioPacketDecoder } from './decoder.js';
import { openOutput, type AudioOutput } from './output.js';

/** The state of audio: `blocked` until the user allows it by a click, as browsers require. */
export type AudioState = 'idle' | 'playing' | 'blocked' | 'failed';

const SETTLE_MS = 300;

interface Sound {
  decoder: AudioPacketDecoder;
  output: AudioOutput;
}

/** Where the modules are that are loaded once there is audio. */
export interface AudioAssets {
  worklet: string;
  decoder: string;
}

/** Plays Opus packets, or turns them into a track. Nothing is opened before the first packet. */
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

  /** Plays a packet as it arrives. */
  play(packet: Uint8Array): void {
    if (this.#stopped || this.#state === 'failed') return;
    if (!this.#opened) {
      this.#opened = true;
      this.#open().catch(() => this.#set('failed'));
    } else if (this.#graph?.context.state === 'running') {
      this.#sound?.decoder.decode(packet);
    }
  }

  /** Turns the audio into a track, which is then not played here; null if audio was already opened. */
  openTrack(): MediaStreamTrack | null {
    if (this.#graph !== null || this.#stopped) return null;
    const context = newContext();
    const target = new MediaStreamAudioDestinationNode(context);
    this.#connect(context, target);
    return (this.#track = target.stream.getAudioTracks()[0] ?? null);
  }

  /** Starts blocked audio; must be called while handling a click or key press. */
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
    // A context starts suspended even if it may play; only a state that lasts counts.
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
