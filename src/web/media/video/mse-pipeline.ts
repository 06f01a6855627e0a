import { nalUnits } from '../../../h264/nal.js';
import type { VideoPacket } from '../../../protocol/viewer-messages.js';
import type { Size } from '../../lib/geometry.js';
import { fragment, initSegment, TIMESCALE } from '../codec/fmp4.js';
import { AppendQueue } from './append-queue.js';
import { BitmapTap } from './bitmap-tap.js';
import type { FrameCallback, PipelineEvents, StreamFormat, VideoPipeline } from './pipeline.js';
import { PresentedFrames } from './presented-frames.js';
import { catchUp, Timeline } from './timeline.js';

/**
 * After this many seconds of video, a key frame is requested so that older ones can be freed: browsers free whole
 * groups only.
 */
const MAX_GROUP_SECONDS = 10;
/** If no frame follows within this time, the last one should have been displayed. */
const CHECK_AFTER_MS = 120;

/** Feeds one-frame MP4 fragments to a video element: the method for pages on plain HTTP. */
export class MsePipeline implements VideoPipeline {
  /** A video element shows nothing but its video. */
  readonly renderer = null;
  readonly #video = document.createElement('video');
  readonly #tap: BitmapTap | null;
  readonly #events: PipelineEvents;
  readonly #presented: PresentedFrames;
  readonly #timeline = new Timeline();
  readonly #url: string;
  readonly #source = new MediaSource();
  #queue: AppendQueue | null = null;
  #sequence = 0;
  #groupStart = 0;
  #lastStart = 0;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  /**
   * @param events called when a frame is displayed, and when the pipeline fails or needs a key frame
   * @param frames called with every frame; null: the element displays them
   */
  constructor(events: PipelineEvents, frames: FrameCallback | null) {
    this.#events = events;
    this.#video.muted = true;
    this.#video.autoplay = true;
    this.#video.playsInline = true;
    this.#video.disablePictureInPicture = true;
    this.#tap = frames === null ? null : new BitmapTap(this.#video, frames);
    this.#presented = new PresentedFrames(this.#video, frame => {
      this.#tap?.capture();
      events.presented(frame);
    });
    this.#url = URL.createObjectURL(this.#source);
    this.#video.src = this.#url;
    this.#video.addEventListener('error', () => this.#fail(this.#video.error?.message ?? 'the video element failed'));
  }

  get element(): HTMLVideoElement | null {
    return this.#tap === null ? this.#video : null;
  }

  open(format: StreamFormat, size: Size): void {
    if (this.#tap !== null) this.#tap.size = size;
    const type = mimeType(format.sps.codec);
    this.#queue ??= new AppendQueue(this.#source, type, reason => this.#fail(reason));
    this.#queue.init(type, initSegment(format.sps, format.spsNal, format.ppsNal));
  }

  decode(packet: VideoPacket): boolean {
    if (this.#queue === null) return false;
    const { start, duration } = this.#timeline.append(packet.time);
    this.#presented.expect(packet.frame, start);
    this.#lastStart = start;
    const time = Math.round(start * TIMESCALE);
    this.#queue.append(
      fragment({
        sequence: ++this.#sequence,
        key: packet.key,
        time,
        duration: Math.round((start + duration) * TIMESCALE) - time,
        nals: nalUnits(packet.data),
      }),
    );
    if (packet.key) {
      this.#queue.remove(Math.min(this.#groupStart, this.#video.currentTime - 1));
      this.#groupStart = start;
    } else if (start - this.#groupStart > MAX_GROUP_SECONDS) {
      this.#events.keyFrameNeeded();
    }
    this.#follow();
    clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(() => this.#check(), CHECK_AFTER_MS);
    return true;
  }

  stop(): void {
    this.#stopped = true;
    this.#tap?.stop();
    clearTimeout(this.#checkTimer);
    this.#presented.stop();
    this.#queue?.stop();
    this.#video.pause();
    this.#video.removeAttribute('src');
    this.#video.load();
    URL.revokeObjectURL(this.#url);
  }

  #follow(): void {
    if (this.#video.paused) this.#video.play().catch(() => {});
    const step = catchUp(this.#presented.waiting, this.#timeline.end - this.#video.currentTime);
    if (step === 'jump') this.#jump();
    else if (this.#video.playbackRate !== step.rate) this.#video.playbackRate = step.rate;
  }

  /** Browsers occasionally skip a frame: if it is the newest, the display would stay outdated. */
  #check(): void {
    if (!document.hidden && this.#presented.waiting > 0) this.#jump();
  }

  #jump(): void {
    this.#video.currentTime = this.#lastStart + 0.001;
  }

  #fail(reason: string): void {
    if (!this.#stopped) this.#events.fault(reason);
  }
}

export const mimeType = (codec: string) => `video/mp4; codecs="${codec}"`;
