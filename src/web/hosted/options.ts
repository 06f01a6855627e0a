import type { BerthOptions } from '../sdk/options.js';
import type { Bitmaps } from './bitmaps.js';
import type { HostedDisconnect, HostedOptions, HostedWarning, TellClient } from './messages.js';

/** What the SDK calls each, for those that the client's users know. */
const DISCONNECTS: ReadonlySet<string> = new Set(['request', 'inactive', 'absolute', 'kicked', 'unauthorized']);

/** The SDK's options for those of the client; what the client's users leave out has that client's defaults. */
export function sdkOptions(given: HostedOptions, bitmaps: Bitmaps | null): BerthOptions {
  const { adminToken, videoTrackCb, audioTrackCb, webhookUserdata, volume } = given;
  return {
    delegateKeyboard: given.delegateKeyboard !== false,
    disableInput: given.disableInput === true,
    persistScreen: given.persistScreen === true,
    playoutDelay: given.playoutDelay === true,
    videoPaused: given.videoPaused === true,
    volume: volumeOf(volume ?? 1),
    ...(typeof adminToken === 'string' ? { adminToken } : {}),
    ...(webhookUserdata === undefined ? {} : { webhookUserdata }),
    ...(bitmaps === null ? {} : { frameCb: bitmaps.frame }),
    ...(videoTrackCb === undefined ? {} : { videoTrackCb }),
    ...(audioTrackCb === undefined ? {} : { audioTrackCb }),
  };
}

/** A volume that pages may compute, from 0 to 1. */
export const volumeOf = (volume: unknown): number => Math.min(1, Math.max(0, Number(volume) || 0));

/** The SDK's callbacks that tell the client. */
export function sdkCallbacks(tell: TellClient) {
  let warned: HostedWarning['type'] = 'inactive';
  return {
    onDisconnect: ({ type }) => {
      const known = (DISCONNECTS.has(type) ? type : 'unknown') as HostedDisconnect;
      tell({ type: 'disconnect', data: { type: known } });
    },
    onCloseWarning: warning => {
      // Cancelled: the timeout that it was about, and no deadline.
      const data = warning ?? { type: warned, deadline: undefined };
      warned = data.type;
      tell({ type: 'close_warning', data });
    },
    onConnectionStateChange: data => tell({ type: 'connection_state', data }),
    onCursor: ({ x, y, clientX, clientY, userId }) => {
      // The client has no word for a pointer that is gone.
      if (x === null || y === null || clientX === null || clientY === null) return;
      tell({ type: 'peer_mouse', data: { x, y, clientX, clientY, userId } });
    },
  } satisfies BerthOptions;
}
