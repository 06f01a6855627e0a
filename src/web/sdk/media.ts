import { MessageType } from '../../protocol/message-type.js';
import { AudioPlayer, type AudioState } from '../player/audio/audio-player.js';
import type { VideoSupport } from '../player/video/choose.js';
import { rememberBroken } from '../player/video/memory.js';
import type { Size } from '../player/video/pipeline.js';
import { VideoPlayer } from '../player/video/video-player.js';
import { encodeAck, parseAudio, parseVideo } from './messages.js';

export interface MediaEvents {
  /** This element shows the picture from now on. */
  picture(element: HTMLElement): void;
  /** A frame was shown. */
  shown(): void;
  unplayable(reason: string): void;
  sound(state: AudioState): void;
  send(message: Uint8Array): void;
}

/** Plays what comes over the connection. */
export class Media {
  readonly audio: AudioPlayer;
  readonly #events: MediaEvents;
  #video: VideoPlayer | null = null;
  #display: Size | null = null;
  /** Whether frames came before they could be played. */
  #missed = false;

  constructor(workletUrl: string, events: MediaEvents) {
    this.#events = events;
    this.audio = new AudioPlayer(workletUrl, state => events.sound(state));
  }

  /** Video can be played from now on, by the ways found. */
  open(support: VideoSupport): void {
    if (this.#video !== null) return;
    this.#video = new VideoPlayer(support.choices, {
      element: element => this.#events.picture(element),
      presented: frame => {
        this.#events.send(encodeAck(frame));
        this.#events.shown();
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

  /** Takes a video message. */
  video(message: Uint8Array): void {
    const packet = parseVideo(message);
    if (this.#video === null) this.#missed = true;
    else if (packet !== null) this.#video.offer(packet);
  }

  /** Takes an audio message. */
  sound(message: Uint8Array): void {
    const packet = parseAudio(message);
    if (packet !== null) this.audio.offer(packet);
  }

  /** The stream stops here and goes on later with a key frame. */
  interrupt(): void {
    this.#video?.interrupt();
  }

  stop(): void {
    this.audio.stop();
    this.#video?.stop();
    this.#video = null;
  }
}
