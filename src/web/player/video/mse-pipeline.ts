import { splitNals } from '../codec/avc.js';
import { fragment, initSegment, TIMESCALE } from '../codec/fmp4.js';
import { AppendQueue } from './append-queue.js';
import type { PipelineEvents, StreamFormat, VideoPacket, VideoPipeline } from './pipeline.js';
import { PresentedFrames } from './presented-frames.js';
import { catchUp, Timeline } from './timeline.js';

/** After so many seconds of pictures a key frame lets go of older ones: browsers free whole groups only. */
const MAX_GROUP_SECONDS = 10;
/** When no frame follows in this time, the last one should have been seen. */
const CHECK_AFTER_MS = 120;

/** One-frame fragments of MP4 into a video element: the way of pages on plain http. */
export class MsePipeline implements VideoPipeline {
  readonly element = document.createElement('video');
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

  constructor(events: PipelineEvents) {
    this.#events = events;
    this.element.muted = true;
    this.element.autoplay = true;
    this.element.playsInline = true;
    this.element.disablePictureInPicture = true;
    this.#presented = new PresentedFrames(this.element, frame => events.presented(frame));
    this.#url = URL.createObjectURL(this.#source);
    this.element.src = this.#url;
    this.element.addEventListener('error', () => this.#fail(this.element.error?.message ?? 'the video element failed'));
  }

  open(format: StreamFormat): void {
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
        nals: splitNals(packet.data),
      }),
    );
    if (packet.key) {
      this.#queue.remove(Math.min(this.#groupStart, this.element.currentTime - 1));
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
    clearTimeout(this.#checkTimer);
    this.#presented.stop();
    this.#queue?.stop();
    this.element.pause();
    this.element.removeAttribute('src');
    this.element.load();
    URL.revokeObjectURL(this.#url);
  }

  #follow(): void {
    if (this.element.paused) this.element.play().catch(() => {});
    const step = catchUp(this.#presented.waiting, this.#timeline.end - this.element.currentTime);
    if (step === 'jump') this.#jump();
    else if (this.element.playbackRate !== step.rate) this.element.playbackRate = step.rate;
  }

  /** Browsers leave out a frame now and then: where it is the newest, the picture would stay the old one. */
  #check(): void {
    if (!document.hidden && this.#presented.waiting > 0) this.#jump();
  }

  #jump(): void {
    this.element.currentTime = this.#lastStart + 0.001;
  }

  #fail(reason: string): void {
    if (!this.#stopped) this.#events.fault(reason);
  }
}

export const mimeType = (codec: string) => `video/mp4; codecs="${codec}"`;
