import type { Join } from '../../protocol/generated/schemas.js';
import { MessageType } from '../../protocol/message-type.js';
import {
  encodeAck,
  encodeText,
  parseAudio,
  parsePatch,
  parseVideo,
  type AudioPacket,
  type VideoPacket,
} from '../../protocol/viewer-messages.js';
import type { Size } from '../lib/geometry.js';
import { safely } from '../lib/safely.js';
import { AudioPlayer, type AudioAssets, type AudioState } from './audio/audio-player.js';
import { DelayLine, PlayoutClock } from './playout.js';
import type { RecentUse } from './recent-use.js';
import { limitation, videoSupport } from './support.js';
import type { Sentence } from '../languages/texts.js';
import { rememberBroken } from './video/broken-pipelines.js';
import type { VideoSupport } from './video/choose.js';
import type { FrameCallback, FrameOutput } from './video/pipeline.js';
import { VideoPlayer } from './video/video-player.js';
import { VideoTrack } from './video/video-track.js';
import { Visibility } from './visibility.js';

/** Maximum time that joining waits to find out what can be played, in milliseconds. */
const SUPPORT_WAIT_MS = 1000;

export interface PlaybackEvents {
  /** This element displays the video from now on. */
  picture(element: HTMLElement): void;
  /** A frame was displayed. */
  shown(): void;
  /** Nothing can be displayed here, and why. */
  unplayable(sentence: Sentence): void;
  /** A sentence about a limitation of this browser. */
  limitation(sentence: Sentence): void;
  sound(state: AudioState): void;
  /** Sends a message to the service. */
  send(message: Uint8Array | string): void;
}

export interface PlaybackOptions {
  /** Called with every frame; if absent, an element displays them. */
  frameCb: FrameCallback | undefined;
  /** Whether the video becomes a track; then no element displays it. */
  hasVideoTrack: boolean;
  /** Playout delay, in milliseconds. */
  playoutDelay: number;
  videoPaused: boolean;
  /** From 0 to 1. */
  volume: number;
  assets: AudioAssets;
}

/** Delays playback to a fixed time after the capture. */
interface Delay {
  /** In milliseconds. */
  by: number;
  clock: PlayoutClock;
  video: DelayLine<VideoPacket>;
  audio: DelayLine<AudioPacket>;
}

/** Video and audio of a session: which formats are supported here, which media are wanted now, and their playing. */
export class Playback {
  readonly #events: PlaybackEvents;
  readonly #output: FrameOutput;
  #delay: Delay | null;
  readonly #audio: AudioPlayer;
  readonly #videoTrack: VideoTrack | null;
  readonly #visibility = new Visibility(() => this.#subscribeVideo());
  readonly #support: Promise<VideoSupport>;
  /** Null until it is known what can be played. */
  #video: VideoPlayer | null = null;
  #display: Size | null = null;
  #videoPaused: boolean;
  /** Whether frames arrived before they could be played. */
  #missed = false;
  /** Frames from before an interruption may still be presented after it: they do not show that the stream is back. */
  #isInterrupted = false;
  #isStopped = false;

  /** @param use tells whether the viewer uses the session: what answers its input is displayed without delay */
  constructor(options: PlaybackOptions, use: RecentUse, events: PlaybackEvents) {
    const { assets, hasVideoTrack, playoutDelay, videoPaused, volume } = options;
    this.#videoTrack = hasVideoTrack ? new VideoTrack() : null;
    const frameCb = this.#videoTrack?.draw ?? options.frameCb;
    this.#events = events;
    this.#videoPaused = videoPaused;
    this.#output = { frames: frameCb === undefined ? null : frame => safely(() => frameCb(frame)), use };
    this.#audio = new AudioPlayer(assets, state => events.sound(state));
    this.#audio.volume = volume;
    this.#delay = this.#delayBy(playoutDelay);
    // Takes a moment, so it runs while the connection is being opened.
    this.#support = this.#open();
  }

  get sound(): AudioState {
    return this.#audio.state;
  }

  get volume(): number {
    return this.#audio.volume;
  }

  set volume(volume: number) {
    const changes = (volume === 0) !== (this.volume === 0);
    this.#audio.volume = volume;
    if (changes) this.#events.send(encodeText({ type: 'media', audio: volume > 0 }));
    this.#events.sound(this.sound);
  }

  get videoPaused(): boolean {
    return this.#videoPaused;
  }

  set videoPaused(paused: boolean) {
    this.#videoPaused = paused;
    this.#subscribeVideo();
  }

  /** In milliseconds. */
  get playoutDelay(): number {
    return this.#delay?.by ?? 0;
  }

  set playoutDelay(by: number) {
    if (by === this.playoutDelay) return;
    // What waits is played at once, so that no key frame is needed.
    this.#delay?.video.flush();
    this.#delay?.audio.flush();
    this.#delay = this.#delayBy(by);
  }

  get wantsVideo(): boolean {
    return !this.#videoPaused && !this.#visibility.hidden;
  }

  set display(size: Size) {
    this.#display = size;
    if (this.#video !== null) this.#video.display = size;
  }

  /** The media wanted when the viewer joins. */
  async initialSubscription(): Promise<Pick<Join, 'chroma444' | 'video' | 'audio'>> {
    const late = new Promise<null>(resolve => setTimeout(() => resolve(null), SUPPORT_WAIT_MS));
    const support = await Promise.race([this.#support, late]);
    if (support !== null) this.#checkPlayable(support);
    return {
      chroma444: support?.chroma444 ?? false,
      video: this.wantsVideo && support?.choices.length !== 0,
      audio: this.volume > 0,
    };
  }

  /** Plays a media message; others are ignored. */
  play(message: Uint8Array): void {
    if (message[0] === MessageType.video) this.#playVideo(message);
    else if (message[0] === MessageType.patch) this.#playPatch(message);
    else if (message[0] === MessageType.audio) this.#playAudio(message);
  }

  /** The video as a track; null if none is wanted, or it was opened before. */
  openVideoTrack(): MediaStreamTrack | null {
    return this.#videoTrack?.open(this.#display) ?? null;
  }

  /** The audio as a track; null if unavailable. */
  openAudioTrack(): MediaStreamTrack | null {
    return this.#audio.openTrack();
  }

  /** Starts audio blocked by the browser; must be called while handling a click. */
  allowSound(): Promise<void> {
    return this.#audio.resume();
  }

  /** The stream pauses here and resumes with a key frame. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#delay?.video.clear();
    this.#video?.interrupt();
  }

  stop(): void {
    this.#isStopped = true;
    this.#visibility.stop();
    this.#delay?.video.clear();
    this.#delay?.audio.clear();
    this.#audio.stop();
    this.#videoTrack?.stop();
    this.#video?.stop();
    this.#video = null;
  }

  #delayBy(by: number): Delay | null {
    if (by === 0) return null;
    return {
      by,
      clock: new PlayoutClock(by),
      video: new DelayLine(packet => this.#video?.play(packet)),
      audio: new DelayLine(({ opus }) => this.#audio.play(opus)),
    };
  }

  async #open(): Promise<VideoSupport> {
    const support = await videoSupport();
    if (this.#isStopped) return support;
    const key = limitation(support, isSecureContext);
    if (support.choices.length > 0 && key !== null) this.#events.limitation(({ say }) => say(key));
    this.#checkPlayable(support);
    this.#video = new VideoPlayer(support.choices, this.#output, {
      element: element => this.#events.picture(element),
      presented: frame => {
        if (this.#delay === null) this.#events.send(encodeAck(frame));
        if (!this.#isInterrupted) this.#events.shown();
      },
      refresh: () => this.#refresh(),
      unplayable: reason => this.#events.unplayable(({ say }) => say('videoFailed', { reason })),
      broken: choice => rememberBroken(choice),
    });
    if (this.#display !== null) this.#video.display = this.#display;
    if (this.#missed) this.#refresh();
    return support;
  }

  #checkPlayable(support: VideoSupport): void {
    const key = limitation(support, isSecureContext);
    if (support.choices.length === 0 && key !== null) this.#events.unplayable(({ say }) => say(key));
  }

  #playVideo(message: Uint8Array): void {
    const packet = parseVideo(message);
    if (packet?.key) this.#isInterrupted = false;
    if (this.#video === null) this.#missed = true;
    else if (packet === null) return;
    else if (this.#delay === null) this.#video.play(packet);
    else {
      // The intended playout delay must not look like a slow network to the service.
      this.#events.send(encodeAck(packet.frame));
      this.#delay.video.add(packet, this.#delay.clock.playAt(packet.time, performance.now()));
    }
  }

  /** With a playout delay, there is no hurry. */
  #playPatch(message: Uint8Array): void {
    const patch = parsePatch(message);
    if (patch !== null && this.#delay === null) this.#video?.patch(patch);
  }

  #playAudio(message: Uint8Array): void {
    const packet = parseAudio(message);
    if (packet === null) return;
    if (this.#delay === null) this.#audio.play(packet.opus);
    else this.#delay.audio.add(packet, this.#delay.clock.playAt(packet.time, performance.now()));
  }

  #refresh(): void {
    this.#events.send(Uint8Array.of(MessageType.refresh));
  }

  #subscribeVideo(): void {
    if (!this.wantsVideo) this.interrupt();
    this.#events.send(encodeText({ type: 'media', video: this.wantsVideo }));
  }
}
