/** Rates a connection by its round trip. */
export interface Quality {
  bars: 0 | 1 | 2 | 3;
  word: 'unknown' | 'slow' | 'fair' | 'good';
}

/**
 * @param rtt round trip in milliseconds; null if unknown
 * @param rtt round trip in milliseconds; null while it is not known
 */
export function qualityOf(rtt: number | null): Quality {
  if (rtt === null) return { bars: 0, word: 'unknown' };
  if (rtt < 70) return { bars: 3, word: 'good' };
  return rtt < 180 ? { bars: 2, word: 'fair' } : { bars: 1, word: 'slow' };
}

/** Describes it in a sentence. */
export function qualityText(rtt: number | null): string {
  const { word } = qualityOf(rtt);
  return rtt === null ? 'Connection' : `Connection: ${word}, ${Math.round(rtt)} ms`;
}
