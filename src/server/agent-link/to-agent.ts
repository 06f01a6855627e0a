import { envelope, toHelper, USER_BYTES } from '../../protocol/display-helper.js';
import type { Fields, Message, Values } from '../../protocol/struct.js';

/** An actual or requested display mode: pixels, frames per second, quality code (message-type.ts), 4:4:4 or 4:2:0. */
export interface DisplayState {
  width: number;
  height: number;
  fps: number;
  quality: number;
  chroma444: boolean;
}

/** Which media at least one viewer wants. */
export interface StreamSubscription {
  video: boolean;
  audio: boolean;
}

/** Wraps a message in the link's envelope: the number of the viewer that sent it, 0 for the service itself. */
export const enveloped = (user: number, message: Uint8Array): Buffer =>
  Buffer.from(envelope.encode({ user }, message).buffer);

/** A message of the service itself. */
const own = <F extends Fields>(message: Message<F>, values: Values<F>): Buffer =>
  Buffer.from(message.encode(values, USER_BYTES).buffer);

/** Requests a key frame. */
export const keyframeMessage = (): Buffer => own(toHelper.keyframe, {});

/** Sets the upper bound of the encoder's bit rate, kbit/s. */
export const rateMessage = (kbps: number): Buffer => own(toHelper.rate, { kbps });

/** Requests a key frame of the small layer. */
export const smallKeyframeMessage = (): Buffer => own(toHelper.smallKeyframe, {});

/** Starts the small layer with this maximum bit rate, kbit/s, or sets its rate; undefined stops it. */
export const smallLayerMessage = (kbps: number | undefined): Buffer =>
  own(toHelper.smallLayer, { on: kbps !== undefined, kbps: kbps ?? 0 });

/** Tells which media any viewer wants. */
export const streamMessage = (subscription: StreamSubscription): Buffer => own(toHelper.stream, subscription);

/** Requests another display mode. */
export const setDisplayMessage = ({ chroma444, ...display }: DisplayState): Buffer =>
  own(toHelper.setDisplay, { ...display, chroma: chroma444 });
