import type { FromViewer, Join } from '../../protocol/generated/schemas.js';
import { MessageType } from '../../protocol/message-type.js';
import type { AudioState } from './audio/audio-player.js';
import type { VideoSupport } from './video/choose.js';
import { Media } from './media.js';
import { RecentUse } from './recent-use.js';
import { safely } from '../lib/safely.js';
import { limitation, videoSupport } from './support.js';
import type { FrameCallback } from './video/callback-renderer.js';
import { Visibility } from './visibility.js';

/** Maximum time that joining waits to find out what can be played, in milliseconds. */
const SUPPORT_WAIT_MS = 1000;

export interface PlaybackEvents {
  /** This element displays the video from now on. */
  picture(element: HTMLElement): void;
  /** A frame was displayed. */
  shown(): void;
  /** Nothing can be displayed here, and why. */
  unplayable(message: string): void;
  /** A sentence about a limitation of this browser. */
  limitation(sentence: string): void;
  sound(state: AudioState): void;
  tell(message: FromViewer): void;
  send(message: Uint8Array): void;
}

export interface PlaybackOptions {
  /** Called with every frame; if absent, an element displays them. */
  frameCb?: FrameCallback;
  /** Playout delay, in milliseconds. */
  playoutDelay?: number;
  videoPaused?: boolean;
  /** From 0 to 1. */
  volume?: number;
}

/** Video and audio of a session: which formats are supported here, and which media are wanted now. */
export class Playback {
  readonly #events: PlaybackEvents;
  readonly #media: Media;
  readonly #use = new RecentUse();
  readonly #visibility = new Visibility(() => this.#tellVideo());
  readonly #support: Promise<VideoSupport>;
  #videoPaused: boolean;
  #isStopped = false;

  /** `service` is the address from which decoder modules are loaded. */
  constructor(service: string, options: PlaybackOptions, events: PlaybackEvents) {
    const { frameCb, playoutDelay = 0, videoPaused = false, volume = 1 } = options;
    this.#events = events;
    this.#videoPaused = videoPaused;
    this.#media = new Media(
      {
        assets: { worklet: `${service}/assets/audio-worklet.js`, decoder: `${service}/assets/opus-decoder.js` },
        playoutDelay,
        output: {
          frames: frameCb === undefined ? null : frame => safely(() => frameCb(frame)),
          use: this.#use,
        },
      },
      {
        picture: element => events.picture(element),
        shown: () => events.shown(),
        unplayable: reason => events.unplayable(`The video cannot be played here: ${reason}`),
        sound: state => events.sound(state),
        send: message => events.send(message),
      },
    );
    this.#media.audio.volume = volume;
    // Takes a moment, so it runs while the connection is being opened.
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

  /** The viewer has sent input: what answers it is displayed without delay. */
  used(): void {
    this.#use.note(performance.now());
  }

  /** The media wanted when the viewer joins. */
  async initialSubscription(): Promise<Pick<Join, 'chroma444' | 'video' | 'audio'>> {
    const late = new Promise<null>(resolve => setTimeout(() => resolve(null), SUPPORT_WAIT_MS));
    const support = await Promise.race([this.#support, late]);
    if (support !== null) this.#judge(support);
    return {
      chroma444: support?.chroma444 ?? false,
      video: this.wantsVideo && support?.choices.length !== 0,
      audio: this.volume > 0,
    };
  }

  /** Handles media messages; others are ignored. */
  take(message: Uint8Array): void {
    if (message[0] === MessageType.video) this.#media.video(message);
    else if (message[0] === MessageType.patch) this.#media.patch(message);
    else if (message[0] === MessageType.audio) this.#media.sound(message);
  }

  /** The audio as a track; null if unavailable. */
  openTrack(): MediaStreamTrack | null {
    return this.#media.audio.openTrack();
  }

  /** Starts audio blocked by the browser; must be called while handling a click. */
  async allowSound(): Promise<void> {
    await this.#media.audio.resume();
  }

  /** The stream pauses here and resumes with a key frame. */
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
