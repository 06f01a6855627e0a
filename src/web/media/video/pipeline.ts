import type { VideoPacket } from '../../../protocol/viewer-messages.js';
import type { Sps } from '../codec/avc.js';

/** What a decoder is opened with: it stays the same until the SPS changes. */
export interface StreamFormat {
  sps: Sps;
  spsNal: Uint8Array;
  ppsNal: Uint8Array;
}

export interface PipelineEvents {
  /** The frame can be seen now. */
  presented(frame: number): void;
  /** Nothing more comes out; a new pipeline is needed. */
  fault(reason: string): void;
  /** A key frame is needed to go on, or to free memory. */
  keyFrameNeeded(): void;
}

/** Where decoded frames go. */
export interface FrameRenderer {
  /** Shows them; null where they are shown elsewhere. */
  readonly element: HTMLCanvasElement | null;
  /** Size of the pictures from now on; what a picture has beyond it is cropped. */
  resize(size: Size): void;
  /** Takes over a picture. `more` says that newer ones are already being decoded. */
  offer(picture: VideoFrame, frame: number, more: boolean): void;
  stop(): void;
}

/** Decodes a stream of frames onto one element. */
export interface VideoPipeline {
  /** Null where frames are handed out. */
  readonly element: HTMLCanvasElement | HTMLVideoElement | null;
  /** Takes a new format. The next packet is a key frame. `size` is the picture's without padding, in pixels. */
  open(format: StreamFormat, size: Size): void;
  /** Takes a frame; false where the pipeline is too far behind and goes on with the next key frame only. */
  decode(packet: VideoPacket): boolean;
  stop(): void;
}

export interface Size {
  width: number;
  height: number;
}

/** Video is encoded at even sizes: where the display is one pixel smaller, the picture is cropped to it. */
export function pictureSize(encoded: Size, display: Size | null): Size {
  if (display === null) return encoded;
  const padding = [encoded.width - display.width, encoded.height - display.height];
  return padding.every(pixels => pixels === 0 || pixels === 1) ? display : encoded;
}
