import type { VideoPacket } from '../../../protocol/viewer-messages.js';
import type { Size } from '../../lib/geometry.js';
import { CallbackRenderer } from './callback-renderer.js';
import { CanvasRenderer } from './canvas-renderer.js';
import { FlowControl } from './flow-control.js';
import type { FrameOutput, FrameRenderer, PipelineEvents, StreamFormat, VideoPipeline } from './pipeline.js';

/** Timestamps encode the frame number, with this spacing, since some decoders merge close timestamps. */
const TICKS_PER_FRAME = 1000;
const WATCH_INTERVAL_MS = 500;

/** Decodes with WebCodecs to a canvas, or to a callback: the fastest method, in secure contexts only. */
export class WebCodecsPipeline implements VideoPipeline {
  readonly renderer: FrameRenderer;
  readonly #flow = new FlowControl();
  readonly #events: PipelineEvents;
  readonly #hardware: HardwarePreference;
  readonly #watch: ReturnType<typeof setInterval>;
  #decoder: VideoDecoder | null = null;
  #format: { stream: StreamFormat; size: Size } | null = null;

  constructor(hardware: HardwarePreference, events: PipelineEvents, { frames, use }: FrameOutput) {
    this.#hardware = hardware;
    this.#events = events;
    const presented = (frame: number) => events.presented(frame);
    this.renderer = frames === null ? new CanvasRenderer(use, presented) : new CallbackRenderer(frames, presented);
    this.#watch = setInterval(() => {
      if (!document.hidden && this.#flow.stalled(performance.now())) events.fault('the decoder gives no pictures');
    }, WATCH_INTERVAL_MS);
  }

  get element(): HTMLCanvasElement | null {
    return this.renderer.element;
  }

  open(format: StreamFormat, size: Size): void {
    this.#closeDecoder();
    this.#format = { stream: format, size };
    this.renderer.resize(size);
    const decoder = new VideoDecoder({
      output: picture => this.#output(decoder, picture),
      error: error => this.#failed(decoder, error),
    });
    this.#decoder = decoder;
    decoder.configure(decoderConfig(format.sps.codec, this.#hardware));
  }

  decode(packet: VideoPacket): boolean {
    const now = performance.now();
    if (this.#format === null) return false;
    if (packet.key && (this.#decoder === null || this.#flow.overloaded(now))) {
      this.open(this.#format.stream, this.#format.size);
    }
    if (this.#decoder?.state !== 'configured') return false;
    if (this.#flow.overloaded(now)) {
      this.#closeDecoder();
      return false;
    }
    this.#flow.submitted(packet.frame, now);
    this.#decoder.decode(
      new EncodedVideoChunk({
        type: packet.key ? 'key' : 'delta',
        timestamp: packet.frame * TICKS_PER_FRAME,
        duration: TICKS_PER_FRAME,
        data: packet.data,
      }),
    );
    return true;
  }

  stop(): void {
    clearInterval(this.#watch);
    this.#closeDecoder();
    this.renderer.stop();
  }

  #output(decoder: VideoDecoder, picture: VideoFrame): void {
    if (decoder !== this.#decoder) return picture.close();
    const frame = Math.round(picture.timestamp / TICKS_PER_FRAME);
    this.#flow.decoded(frame);
    this.renderer.draw(picture, frame, decoder.decodeQueueSize > 0);
  }

  #failed(decoder: VideoDecoder, error: DOMException): void {
    if (decoder !== this.#decoder) return;
    this.#decoder = null;
    this.#flow.reset();
    // Browsers reclaim the decoder of a background page: the next key frame opens a new one.
    if (error.name === 'QuotaExceededError' || document.hidden) this.#events.keyFrameNeeded();
    else this.#events.fault(error.message);
  }

  #closeDecoder(): void {
    const decoder = this.#decoder;
    this.#decoder = null;
    this.#flow.reset();
    if (decoder !== null && decoder.state !== 'closed') decoder.close();
  }
}

export type HardwarePreference = 'no-preference' | 'prefer-software';

/** Decoder configuration: Annex B, and no frame reordering delay. */
export const decoderConfig = (codec: string, hardwareAcceleration: HardwarePreference): VideoDecoderConfig => ({
  codec,
  hardwareAcceleration,
  optimizeForLatency: true,
});
