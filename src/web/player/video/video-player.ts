import { findNal, NalType, parseSps } from '../codec/avc.js';
import { createPipeline, type PipelineChoice } from './choose.js';
import { pictureSize, type Size, type StreamFormat, type VideoPacket, type VideoPipeline } from './pipeline.js';

/** A key frame is asked for again when none came in this time. */
const REFRESH_INTERVAL_MS = 1000;

export interface VideoPlayerEvents {
  /** Another element shows the picture from now on. */
  element(element: HTMLElement): void;
  /** The frame can be seen now. */
  presented(frame: number): void;
  /** Ask the service for a key frame. */
  refresh(): void;
  /** No way to play video is left. */
  unplayable(reason: string): void;
  /** A way that looked fine broke: remember it. */
  broken(choice: PipelineChoice, reason: string): void;
}

/** Plays the stream by the first of the given ways that holds, changing to the next where one breaks. */
export class VideoPlayer {
  readonly #events: VideoPlayerEvents;
  readonly #choices: PipelineChoice[];
  #pipeline: VideoPipeline | null = null;
  #format: Format | null = null;
  #display: Size | null = null;
  #waitingForKey = true;
  #askedAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(choices: PipelineChoice[], events: VideoPlayerEvents) {
    this.#choices = [...choices];
    this.#events = events;
  }

  /** Tells the display's true size, without the encoder's padding. */
  set display(size: Size) {
    this.#display = size;
  }

  /** Takes a frame as it arrives. */
  offer(packet: VideoPacket): void {
    if (this.#waitingForKey && !packet.key) return this.#askForKey();
    try {
      if (packet.key) this.#takeKey(packet.data);
      this.#waitingForKey = this.#pipeline?.decode(packet) === false;
    } catch (error) {
      this.#fallBack(String(error));
    }
    if (this.#waitingForKey) this.#askForKey();
    else clearTimeout(this.#timer);
  }

  /** The stream was interrupted: goes on with the next key frame. */
  interrupt(): void {
    this.#waitingForKey = true;
    clearTimeout(this.#timer);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#pipeline?.stop();
    this.#pipeline = null;
  }

  #takeKey(unit: Uint8Array): void {
    const spsNal = findNal(unit, NalType.sps);
    const ppsNal = findNal(unit, NalType.pps);
    const sps = spsNal && parseSps(spsNal);
    if (!spsNal || !ppsNal || !sps) throw new Error('a key frame has no parameter sets');
    const size = pictureSize(sps, this.#display);
    const stream = { sps, spsNal: spsNal.slice(), ppsNal: ppsNal.slice() };
    if (this.#pipeline !== null && this.#format !== null && sameFormat(this.#format, { stream, size })) return;
    this.#format = { stream, size };
    this.#pipeline ??= this.#create();
    this.#pipeline?.open(stream, size);
  }

  #create(): VideoPipeline | null {
    const choice = this.#choices[0];
    if (choice === undefined) return null;
    const pipeline = createPipeline(choice, {
      presented: frame => this.#events.presented(frame),
      fault: reason => this.#fallBack(reason),
      keyFrameNeeded: () => this.#askForKey(),
    });
    this.#events.element(pipeline.element);
    return pipeline;
  }

  #fallBack(reason: string): void {
    this.#pipeline?.stop();
    this.#pipeline = null;
    this.#waitingForKey = true;
    const broken = this.#choices.shift();
    if (broken !== undefined) this.#events.broken(broken, reason);
    if (this.#choices.length === 0) this.#events.unplayable(reason);
    else this.#askForKey();
  }

  #askForKey(): void {
    const now = performance.now();
    clearTimeout(this.#timer);
    if (now - this.#askedAt >= REFRESH_INTERVAL_MS) {
      this.#askedAt = now;
      this.#events.refresh();
    }
    if (this.#waitingForKey) this.#timer = setTimeout(() => this.#askForKey(), REFRESH_INTERVAL_MS);
  }
}

type Format = { stream: StreamFormat; size: Size };

const sameFormat = (a: Format, b: Format) =>
  a.size.width === b.size.width &&
  a.size.height === b.size.height &&
  equal(a.stream.spsNal, b.stream.spsNal) &&
  equal(a.stream.ppsNal, b.stream.ppsNal);

const equal = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);
