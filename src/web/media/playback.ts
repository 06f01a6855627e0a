import type { FromViewer, Join } from '../../protocol/generated/schemas.js';
import { MessageType } from '../../protocol/message-type.js';
import type { AudioState } from './audio/audio-player.js';
import type { VideoSupport } from './video/choose.js';
import { Media } from './media.js';
import { safely } from '../lib/safely.js';
import { limitation, videoSupport } from './support.js';
import type { FrameCallback } from './video/callback-renderer.js';
import { Visibility } from './visibility.js';

/** Joining does not wait longer than this, in milliseconds, to know what can be played. */
const SUPPORT_WAIT_MS = 1000;

export interface PlaybackEvents {
  /** This element shows the picture from now on. */
  picture(element: HTMLElement): void;
  /** A frame was shown. */
  shown(): void;
  /** Nothing can be shown here, and why. */
  unplayable(message: string): void;
  /** A sentence on what this browser cannot do here. */
  limitation(sentence: string): void;
  sound(state: AudioState): void;
  tell(message: FromViewer): void;
  send(message: Uint8Array): void;
}

export interface PlaybackOptions {
  /** Is handed every frame; where left out, an element shows them. */
  frameCb?: FrameCallback;
  /** By how much playing is held back, in milliseconds. */
  playoutDelay?: number;
  videoPaused?: boolean;
  /** From 0 to 1. */
  volume?: number;
}

/** Picture and sound of a session: what can be played here, and what is wanted of it now. */
export class Playback {
  readonly #events: PlaybackEvents;
  readonly #media: Media;
  readonly #visibility = new Visibility(() => this.#tellVideo());
  readonly #support: Promise<VideoSupport>;
  #videoPaused: boolean;
  #isStopped = false;

  /** `service` is the address that players get their parts from. */
  constructor(service: string, options: PlaybackOptions, events: PlaybackEvents) {
    const { frameCb, playoutDelay = 0, videoPaused = false, volume = 1 } = options;
    this.#events = events;
    this.#videoPaused = videoPaused;
    this.#media = new Media(
      {
        assets: { worklet: `${service}/assets/audio-worklet.js`, decoder: `${service}/assets/opus-decoder.js` },
        playoutDelay,
        frames: frameCb === undefined ? null : frame => safely(() => frameCb(frame)),
      },
      {
        picture: element => events.picture(element),
        shown: () => events.shown(),
        unplayable: reason => events.unplayable(`The picture cannot be played here: ${reason}`),
        sound: state => events.sound(state),
        send: message => events.send(message),
      },
    );
    this.#media.audio.volume = volume;
    // Takes a moment: it is done while the connection is being opened.
    this.#support = this.#open();
  }

  get sound(): AudioState {
    return this.#media.audio.state;
  }

  get volume(): number {
    return this.#media.audio.volume;
  }

  set volume(volume: number) {
    const changes = (volume === 0) !== (this.volume === 0);
    this.#media.audio.volume = volume;
    if (changes) this.#events.tell({ type: 'media', audio: volume > 0 });
    this.#events.sound(this.sound);
  }

  get videoPaused(): boolean {
    return this.#videoPaused;
  }

  set videoPaused(paused: boolean) {
    this.#videoPaused = paused;
    this.#tellVideo();
  }

  get wantsVideo(): boolean {
    return !this.#videoPaused && !this.#visibility.hidden;
  }

  set display(size: { width: number; height: number }) {
    this.#media.display = size;
  }

  /** What is wanted when the viewer joins. */
  async wishes(): Promise<Pick<Join, 'chroma444' | 'video' | 'audio'>> {
    const late = new Promise<null>(resolve => setTimeout(() => resolve(null), SUPPORT_WAIT_MS));
    const support = await Promise.race([this.#support, late]);
    if (support !== null) this.#judge(support);
    return {
      chroma444: support?.chroma444 ?? false,
      video: this.wantsVideo && support?.choices.length !== 0,
      audio: this.volume > 0,
    };
  }

  /** Takes a message with a frame or with sound; others are none of its business. */
  take(message: Uint8Array): void {
    if (message[0] === MessageType.video) this.#media.video(message);
    else if (message[0] === MessageType.audio) this.#media.sound(message);
  }

  /** The sound as a track; null where it cannot be had. */
  openTrack(): MediaStreamTrack | null {
    return this.#media.audio.openTrack();
  }

  /** Starts sound that the browser holds back; to be called while a click is handled. */
  async allowSound(): Promise<void> {
    await this.#media.audio.resume();
  }

  /** The stream stops here and goes on later with a key frame. */
  interrupt(): void {
    this.#media.interrupt();
  }

  stop(): void {
    this.#isStopped = true;
    this.#visibility.stop();
    this.#media.stop();
  }

  async #open(): Promise<VideoSupport> {
    const support = await videoSupport();
    if (this.#isStopped) return support;
    const sentence = limitation(support, isSecureContext);
    if (support.choices.length > 0 && sentence !== null) this.#events.limitation(sentence);
    this.#judge(support);
    this.#media.open(support);
    return support;
  }

  #judge(support: VideoSupport): void {
    if (support.choices.length > 0) return;
    this.#events.unplayable(limitation(support, isSecureContext) ?? '');
  }

  #tellVideo(): void {
    if (!this.wantsVideo) this.interrupt();
    this.#events.tell({ type: 'media', video: this.wantsVideo });
  }
}
