/** Schemes of the addresses that a session may start with. */
const SCHEMES = new Set(['http:', 'https:', 'about:', 'data:', 'blob:', 'chrome:']);

/** Pages with the scheme about: that are not Chromium's own. */
const OWN_OF_ABOUT = /^(blank|srcdoc)(?=$|[?#])/i;

/**
 * The one form of an address that a browser starts with: `CHROME://version` and `about:version` are `chrome://version`,
 * as in Chromium's address bar. null for what is no address, or must not be opened: files, scripts, sources of pages.
 */
export function browserUrl(address: string): string | null {
  const url = parsed(address);
  if (url === null || !SCHEMES.has(url.protocol)) return null;
  if (url.protocol !== 'about:') return url.href;
  const page = url.href.slice(url.protocol.length);
  if (OWN_OF_ABOUT.test(page)) return `about:${page.replace(OWN_OF_ABOUT, name => name.toLowerCase())}`;
  const own = parsed(`chrome://${page.replace(/^\/\//, '') || 'version'}`);
  return own?.hostname ? own.href : null;
}

/** Whether an address is that of one of Chromium's own pages, which its command line does not open. */
export const isChromePage = (address: string | undefined): boolean =>
  address !== undefined && browserUrl(address)?.startsWith('chrome:') === true;

function parsed(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
