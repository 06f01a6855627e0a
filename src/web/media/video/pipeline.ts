import type { Sps } from '../../../h264/sps.js';
import type { Patch, VideoPacket } from '../../../protocol/viewer-messages.js';
import type { Size } from '../../lib/geometry.js';
import type { RecentUse } from '../recent-use.js';

/** A decoder's configuration, which stays the same until the SPS changes. */
export interface StreamFormat {
  sps: Sps;
  spsNal: Uint8Array;
  ppsNal: Uint8Array;
}

export interface PipelineEvents {
  /** The frame is visible now. */
  presented(frame: number): void;
  /** The pipeline has failed; a new one is needed. */
  fault(reason: string): void;
  /** A key frame is needed to continue, or to free memory. */
  keyFrameNeeded(): void;
}

/** Receives a frame, which is closed when the function returns. */
export type FrameCallback = (frame: VideoFrame | ImageBitmap) => void;

/** Where frames go. */
export interface FrameOutput {
  /** Called with every frame; null: the pipeline's element displays them. */
  frames: FrameCallback | null;
  /** While the viewer uses the session, no frame is delayed for even motion. */
  use: RecentUse;
}

/** Receives decoded frames. */
export interface FrameRenderer {
  /** The element that displays them; null if they are displayed elsewhere. */
  readonly element: HTMLCanvasElement | null;
  /** Size of the frames from now on; anything beyond it is cropped. */
  resize(size: Size): void;
  /** Draws a frame, and takes ownership of it. `more` means that newer ones are already being decoded. */
  draw(picture: VideoFrame, frame: number, more: boolean): void;
  /** Draws a patch, if its frame is the last one that was drawn. Absent if only whole frames are wanted. */
  patch?(patch: Patch): void;
  stop(): void;
}

/** Decodes a stream of frames to one element. */
export interface VideoPipeline {
  /** Draws what is decoded; null if the element does. */
  readonly renderer: FrameRenderer | null;
  /** Null if frames are passed to a callback. */
  readonly element: HTMLCanvasElement | HTMLVideoElement | null;
  /** Sets a new format. The next packet is a key frame. `size` is the frame's without padding, in pixels. */
  open(format: StreamFormat, size: Size): void;
  /** Decodes a frame; false if the pipeline is too far behind and resumes only with the next key frame. */
  decode(packet: VideoPacket): boolean;
  stop(): void;
}

/** Video is encoded at even sizes: if the display is one pixel smaller, the frame is cropped to it. */
export function pictureSize(encoded: Size, display: Size | null): Size {
  if (display === null) return encoded;
  const padding = [encoded.width - display.width, encoded.height - display.height];
  return padding.every(pixels => pixels === 0 || pixels === 1) ? display : encoded;
}
