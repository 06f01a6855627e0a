import type { AudioAssets } from '../media/audio/audio-player.js';
import type { PlaybackOptions } from '../media/playback.js';
import { playoutDelayMs, type BerthOptions } from './options.js';

/**
 * The options of playing a session's media.
 * @param service address from which decoder modules are loaded
 * @param assets those that are elsewhere
 */
export function mediaOptions(options: BerthOptions, service: string, assets: Partial<AudioAssets>): PlaybackOptions {
  const { frameCb, videoTrackCb, playoutDelay = 0, videoPaused = false, volume = 1 } = options;
  return {
    frameCb,
    hasVideoTrack: videoTrackCb !== undefined,
    playoutDelay: playoutDelayMs(playoutDelay),
    videoPaused,
    volume,
    assets: { worklet: `${service}/assets/audio-worklet.js`, decoder: `${service}/assets/opus-decoder.js`, ...assets },
  };
}
