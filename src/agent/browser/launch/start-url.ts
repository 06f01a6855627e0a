/** Schemes that a session may be started on. */
const SCHEMES = new Set(['http:', 'https:', 'about:', 'data:', 'blob:', 'chrome:']);

export const BLANK = 'about:blank';

/** The start page, or a blank one where the address is none that may be opened. */
export function startUrl(address = BLANK): string {
  try {
    const url = new URL(address);
    return SCHEMES.has(url.protocol) ? url.href : BLANK;
  } catch {
    return BLANK;
  }
}
