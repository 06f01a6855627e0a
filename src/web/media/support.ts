import { findVideoSupport, type VideoSupport } from './video/choose.js';
import { brokenPipelines } from './video/broken-pipelines.js';

type Limitation = 'videoUnsupported' | 'videoNeedsHttps' | 'unencrypted';

let found: Promise<VideoSupport> | undefined;

/** Which playback methods work in this browser; determined once per page. */
export const videoSupport = (): Promise<VideoSupport> => (found ??= findVideoSupport(brokenPipelines()));

/** What a sentence about a limitation of this page and its remedy is called; null if there is none. */
export function limitation(support: VideoSupport, secure: boolean): Limitation | null {
  if (support.choices.length === 0) return secure ? 'videoUnsupported' : 'videoNeedsHttps';
  return secure ? null : 'unencrypted';
}
