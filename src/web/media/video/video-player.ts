import { findNal, NalType } from '../../../h264/nal.js';
import { parseSps } from '../../../h264/sps.js';
import type { Patch, VideoPacket } from '../../../protocol/viewer-messages.js';
import type { Size } from '../../lib/geometry.js';
import { createPipeline, type PipelineChoice } from './choose.js';
import {
  pictureSize,
  type FrameOutput,
  type PipelineEvents,
  type StreamFormat,
  type VideoPipeline,
} from './pipeline.js';

/** A key frame is requested again if none arrived within this time. */
const REFRESH_INTERVAL_MS = 1000;
/** A method that fails twice within this time is given up. */
const SECOND_FAULT_MS = 30_000;

export interface VideoPlayerEvents {
  /** Another element displays the video from now on. */
  element(element: HTMLElement): void;
  /** The frame is visible now. */
  presented(frame: number): void;
  /** Requests a key frame from the service. */
  refresh(): void;
  /** No playback method is left. */
  unplayable(reason: string): void;
  /** A method that had passed its test failed: remember it. */
  broken(choice: PipelineChoice, reason: string): void;
}

/** Plays the stream with the first of the given methods that works, switching to the next one when it fails. */
export class VideoPlayer {
  readonly #events: VideoPlayerEvents;
  readonly #choices: PipelineChoice[];
  readonly #output: FrameOutput;
  #pipeline: VideoPipeline | null = null;
  #format: Format | null = null;
  #display: Size | null = null;
  #waitingForKey = true;
  #askedAt = -Infinity;
  /** Whether the pipeline has displayed a frame, and when the last one failed. */
  #proven = false;
  #faultAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(choices: PipelineChoice[], output: FrameOutput, events: VideoPlayerEvents) {
    this.#choices = [...choices];
    this.#output = output;
    this.#events = events;
  }

  /** Sets the display's true size, without the encoder's padding. */
  set display(size: Size) {
    this.#display = size;
  }

  /** Plays a frame as it arrives. */
  play(packet: VideoPacket): void {
    if (this.#waitingForKey && !packet.key) return this.#askForKey();
    const format = packet.key ? this.#formatOf(packet.data) : this.#format;
    if (format === null) return this.#skip();
    try {
      this.#open(format);
      this.#waitingForKey = this.#pipeline?.decode(packet) === false;
    } catch (error) {
      this.#fallBack(String(error));
    }
    if (this.#waitingForKey) this.#askForKey();
    else clearTimeout(this.#timer);
  }

  /** Shows a patch, if its frame is what is shown. */
  patch(patch: Patch): void {
    if (!this.#waitingForKey) this.#pipeline?.renderer?.patch?.(patch);
  }

  /** The stream was interrupted: continues with the next key frame. */
  interrupt(): void {
    this.#waitingForKey = true;
    clearTimeout(this.#timer);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#pipeline?.stop();
    this.#pipeline = null;
  }

  /** Waits for the next key frame: this one cannot be used. */
  #skip(): void {
    this.#waitingForKey = true;
    this.#askForKey();
  }

  #formatOf(unit: Uint8Array): Format | null {
    const spsNal = findNal(unit, NalType.sps);
    const ppsNal = findNal(unit, NalType.pps);
    const sps = spsNal && parseSps(spsNal);
    if (!spsNal || !ppsNal || !sps) return null;
    return { stream: { sps, spsNal: spsNal.slice(), ppsNal: ppsNal.slice() }, size: pictureSize(sps, this.#display) };
  }

  #open(format: Format): void {
    if (this.#pipeline !== null && this.#format !== null && sameFormat(this.#format, format)) return;
    this.#format = format;
    this.#pipeline ??= this.#create();
    this.#pipeline?.open(format.stream, format.size);
  }

  #create(): VideoPipeline | null {
    const choice = this.#choices[0];
    if (choice === undefined) return null;
    const events: PipelineEvents = {
      presented: frame => {
        this.#proven = true;
        this.#events.presented(frame);
      },
      fault: reason => this.#fallBack(reason),
      keyFrameNeeded: () => this.#askForKey(),
    };
    const pipeline = createPipeline(choice, events, this.#output);
    if (pipeline.element !== null) this.#events.element(pipeline.element);
    return pipeline;
  }

  #fallBack(reason: string): void {
    this.#pipeline?.stop();
    this.#pipeline = null;
    this.#waitingForKey = true;
    // A method that has worked gets another chance: a damaged frame breaks every decoder.
    const now = performance.now();
    if (!this.#proven || now - this.#faultAt < SECOND_FAULT_MS) {
      const broken = this.#choices.shift();
      if (broken !== undefined) this.#events.broken(broken, reason);
    }
    this.#proven = false;
    this.#faultAt = now;
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
