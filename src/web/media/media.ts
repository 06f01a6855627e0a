import { MessageType } from '../../protocol/message-type.js';
import { AudioPlayer, type AudioAssets, type AudioState } from './audio/audio-player.js';
import { DelayLine, PlayoutClock } from './playout.js';
import type { VideoSupport } from './video/choose.js';
import { rememberBroken } from './video/broken-pipelines.js';
import type { FrameOutput, Size } from './video/pipeline.js';
import { VideoPlayer } from './video/video-player.js';
import {
  encodeAck,
  parseAudio,
  parsePatch,
  parseVideo,
  type AudioPacket,
  type VideoPacket,
} from '../../protocol/viewer-messages.js';

export interface MediaEvents {
  /** This element displays the video from now on. */
  picture(element: HTMLElement): void;
  /** A frame was displayed. */
  shown(): void;
  unplayable(reason: string): void;
  sound(state: AudioState): void;
  send(message: Uint8Array): void;
}

export interface MediaOptions {
  assets: AudioAssets;
  /** Playout delay, in milliseconds. */
  playoutDelay: number;
  output: FrameOutput;
}

interface Delay {
  clock: PlayoutClock;
  video: DelayLine<VideoPacket>;
  audio: DelayLine<AudioPacket>;
}

/** Plays the media received over the connection. */
export class Media {
  readonly audio: AudioPlayer;
  readonly #events: MediaEvents;
  readonly #output: FrameOutput;
  readonly #delay: Delay | null;
  #video: VideoPlayer | null = null;
  #display: Size | null = null;
  /** Whether frames arrived before they could be played. */
  #missed = false;
  /** Frames from before an interruption may still be presented after it: they do not show that the stream is back. */
  #isInterrupted = false;

  constructor({ assets, playoutDelay, output }: MediaOptions, events: MediaEvents) {
    this.#events = events;
    this.#output = output;
    this.audio = new AudioPlayer(assets, state => events.sound(state));
    this.#delay =
      playoutDelay === 0
        ? null
        : {
            clock: new PlayoutClock(playoutDelay),
            video: new DelayLine(packet => this.#video?.offer(packet)),
            audio: new DelayLine(({ opus }) => this.audio.offer(opus)),
          };
  }

  /** Video can be played from now on, by the available methods. */
  open(support: VideoSupport): void {
    if (this.#video !== null) return;
    this.#video = new VideoPlayer(support.choices, this.#output, {
      element: element => this.#events.picture(element),
      presented: frame => {
        if (this.#delay === null) this.#events.send(encodeAck(frame));
        if (!this.#isInterrupted) this.#events.shown();
      },
      refresh: () => this.#events.send(Uint8Array.of(MessageType.refresh)),
      unplayable: reason => this.#events.unplayable(reason),
      broken: choice => rememberBroken(choice),
    });
    if (this.#display !== null) this.#video.display = this.#display;
    if (this.#missed) this.#events.send(Uint8Array.of(MessageType.refresh));
  }

  set display(size: Size) {
    this.#display = size;
    if (this.#video !== null) this.#video.display = size;
  }

  /** Handles a video message. */
  video(message: Uint8Array): void {
    const packet = parseVideo(message);
    if (packet?.key) this.#isInterrupted = false;
    if (this.#video === null) this.#missed = true;
    else if (packet === null) return;
    else if (this.#delay === null) this.#video.offer(packet);
    else {
      // The intended playout delay must not look like a slow network to the service.
      this.#events.send(encodeAck(packet.frame));
      this.#delay.video.offer(packet, this.#delay.clock.playAt(packet.time, performance.now()));
    }
  }

  /** Handles a patch. With a playout delay, there is no hurry. */
  patch(message: Uint8Array): void {
    const patch = parsePatch(message);
    if (patch !== null && this.#delay === null) this.#video?.patch(patch);
  }

  /** Handles an audio message. */
  sound(message: Uint8Array): void {
    const packet = parseAudio(message);
    if (packet === null) return;
    if (this.#delay === null) this.audio.offer(packet.opus);
    else this.#delay.audio.offer(packet, this.#delay.clock.playAt(packet.time, performance.now()));
  }

  /** The stream pauses here and resumes with a key frame. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#delay?.video.clear();
    this.#video?.interrupt();
  }

  stop(): void {
    this.#delay?.video.clear();
    this.#delay?.audio.clear();
    this.audio.stop();
    this.#video?.stop();
    this.#video = null;
  }
}
