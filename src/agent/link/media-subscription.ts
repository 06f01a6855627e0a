/** One link's subscription to the display's media. */
export interface MediaSubscription {
  readonly video: boolean;
  readonly audio: boolean;
  /** Upper bound of the video's bit rate; undefined if none was set yet. */
  readonly kbps: number | undefined;
  /** The same of the small layer; undefined if it is not needed. */
  readonly smallKbps: number | undefined;
}

export const NO_MEDIA: MediaSubscription = { video: false, audio: false, kbps: undefined, smallKbps: undefined };

/** Combines the links' subscriptions: media if any link wants them, and the lowest rate among those that watch. */
export function merge(all: readonly MediaSubscription[]): MediaSubscription {
  const watching = all.filter(({ video }) => video);
  return {
    video: watching.length > 0,
    audio: all.some(({ audio }) => audio),
    kbps: lowest(watching.map(({ kbps }) => kbps)),
    smallKbps: lowest(watching.map(({ smallKbps }) => smallKbps)),
  };
}

function lowest(rates: readonly (number | undefined)[]): number | undefined {
  const known = rates.filter(rate => rate !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
