/** Schemes allowed for a session's start page. */
const SCHEMES = new Set(['http:', 'https:', 'about:', 'data:', 'blob:', 'chrome:']);

export const BLANK = 'about:blank';

/** The start page, or a blank one if the address may not be opened. */
export function startUrl(address = BLANK): string {
  try {
    const url = new URL(address);
    return SCHEMES.has(url.protocol) ? url.href : BLANK;
  } catch {
    return BLANK;
  }
}
