import { splitNals } from '../codec/avc.js';
import { fragment, initSegment, TIMESCALE } from '../codec/fmp4.js';
import { AppendQueue } from './append-queue.js';
import type { PipelineEvents, StreamFormat, VideoPacket, VideoPipeline } from './pipeline.js';
import { PresentedFrames } from './presented-frames.js';
import { catchUp, Timeline } from './timeline.js';

/** After so many seconds of pictures a key frame lets go of older ones: browsers free whole groups only. */
const MAX_GROUP_SECONDS = 20;

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
    return true;
  }

  stop(): void {
    this.#stopped = true;
    this.#presented.stop();
    this.#queue?.stop();
    this.element.pause();
    this.element.removeAttribute('src');
    this.element.load();
    URL.revokeObjectURL(this.#url);
  }

  #follow(): void {
    if (this.element.paused) this.element.play().catch(() => {});
    const step = catchUp(this.#timeline.end - this.element.currentTime);
    if (step === 'jump') this.element.currentTime = Math.max(this.#groupStart, this.#timeline.end - 0.02);
    else if (this.element.playbackRate !== step.rate) this.element.playbackRate = step.rate;
  }

  #fail(reason: string): void {
    if (!this.#stopped) this.#events.fault(reason);
  }
}

export const mimeType = (codec: string) => `video/mp4; codecs="${codec}"`;
