import { findVideoSupport, type VideoSupport } from './video/choose.js';
import { brokenPipelines } from './video/broken-pipelines.js';

let found: Promise<VideoSupport> | undefined;

/** Which playback methods work in this browser; determined once per page. */
export const videoSupport = (): Promise<VideoSupport> => (found ??= findVideoSupport(brokenPipelines()));

/** A sentence about a limitation of this page and its remedy; null if there is none. */
export function limitation(support: VideoSupport, secure: boolean): string | null {
  if (support.choices.length === 0) {
    return secure
      ? 'This browser cannot play H.264 video. A current Chrome, Edge, Firefox or Safari can.'
      : 'This browser cannot play the video on an unencrypted page. Open the address with https, or use a current Chrome, Edge, Firefox or Safari.';
  }
  if (secure) return null;
  return 'This page is not encrypted, so video and audio are delayed more, and the clipboard needs a click. Open it with https to avoid that.';
}
