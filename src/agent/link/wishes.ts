/** What one link wants of the display. */
export interface Wishes {
  readonly video: boolean;
  readonly audio: boolean;
  /** Ceiling of the video's rate; none was named yet if undefined. */
  readonly kbps: number | undefined;
}

export const NO_WISHES: Wishes = { video: false, audio: false, kbps: undefined };

/** Combines the links: media if any wants them, and the lowest ceiling among those that watch. */
export function merge(all: readonly Wishes[]): Wishes {
  const rates = all.flatMap(({ video, kbps }) => (video && kbps !== undefined ? [kbps] : []));
  return {
    video: all.some(({ video }) => video),
    audio: all.some(({ audio }) => audio),
    kbps: rates.length > 0 ? Math.min(...rates) : undefined,
  };
}
