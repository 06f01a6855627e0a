import { findVideoSupport, type VideoSupport } from './video/choose.js';
import { brokenBefore } from './video/memory.js';

let found: Promise<VideoSupport> | undefined;

/** Which ways of playing video work in this browser; found out once per page. */
export const videoSupport = (): Promise<VideoSupport> => (found ??= findVideoSupport(brokenBefore()));

/** A sentence on what is lost on this page and what cures it; null where nothing is. */
export function limitation(support: VideoSupport, secure: boolean): string | null {
  if (support.choices.length === 0) {
    return secure
      ? 'This browser cannot play H.264 video. A current Chrome, Edge, Firefox or Safari can.'
      : 'This browser cannot play the picture on a page without encryption. Open the address with https, or use a current Chrome, Edge, Firefox or Safari.';
  }
  if (secure) return null;
  return 'This page is not encrypted, so picture and sound come with more delay, and the clipboard needs a click. Opening it with https cures that.';
}
