/** One link's subscription to the display's media. */
export interface MediaSubscription {
  readonly video: boolean;
  readonly audio: boolean;
  /** Upper bound of the video's bit rate; undefined if none was set yet. */
  readonly kbps: number | undefined;
}

export const NO_MEDIA: MediaSubscription = { video: false, audio: false, kbps: undefined };

/** Combines the links' subscriptions: media if any link wants them, and the lowest rate among those that watch. */
export function merge(all: readonly MediaSubscription[]): MediaSubscription {
  const rates = all.flatMap(({ video, kbps }) => (video && kbps !== undefined ? [kbps] : []));
  return {
    video: all.some(({ video }) => video),
    audio: all.some(({ audio }) => audio),
    kbps: rates.length > 0 ? Math.min(...rates) : undefined,
  };
}
