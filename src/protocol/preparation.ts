import { isChromePage } from './browser-url.js';
import type { Launch, LaunchChromium } from './generated/schemas.js';

/**
 * What the browser of a waiting container is started with: a launch that shows a blank page. It holds no address, no
 * credential and nothing else of a session that could be a secret, since it is in the container's environment.
 */
export type Preparation = LaunchChromium;

const BLANK = 'about:blank';

/** Bytes of the longest address that a running Chromium can be told: of 32 KiB, some of them as `%20`. */
const ADDRESS_MAX = 10_000;

/** What sessions get that ask for nothing. */
export const COMMON_PREPARATION: Preparation = {
  type: 'launch',
  kind: 'chromium',
  display: { width: 1280, height: 720, fps: 24, max_area: 1280 * 720, quality: 'smooth', hide_cursor: false },
  chromium: { start_url: BLANK, kiosk: false, webgl: false, dark: false },
};

/**
 * With what a browser must be prepared to suit a launch; null if none can be: profiles, extensions of one's own,
 * proxies, other user agents, search engines of one's own, Chromium's own pages and very long addresses must be there
 * when it starts.
 */
export function ownPreparation(launch: Launch): Preparation | null {
  if (launch.kind !== 'chromium') return null;
  const { start_url, kiosk, webgl, dark, user_agent, locale, profile, extension, http_proxy, ...options } =
    launch.chromium;
  const { search_engine, adblock, draw } = options;
  const isBound = user_agent !== undefined || profile?.load === true || extension === true || http_proxy !== undefined;
  if (isBound || typeof search_engine === 'object' || isChromePage(start_url)) return null;
  if (new TextEncoder().encode(start_url).length > ADDRESS_MAX) return null;
  return {
    type: 'launch',
    kind: 'chromium',
    display: launch.display,
    chromium: {
      start_url: BLANK,
      kiosk,
      webgl,
      dark,
      ...(locale === undefined ? {} : { locale }),
      ...(search_engine === undefined ? {} : { search_engine }),
      ...(adblock === true ? { adblock } : {}),
      ...(draw === true ? { draw } : {}),
    },
  };
}

/** Whether a browser that was prepared so can become that of a launch: its size, rate and page are set while it runs. */
export function suits(prepared: Preparation, launch: Launch): boolean {
  const own = ownPreparation(launch);
  return own !== null && isAlike(prepared, own);
}

/** Whether what cannot be changed in a running browser is the same. */
export const isAlike = (one: Preparation | null, other: Preparation | null): boolean => fixed(one) === fixed(other);

function fixed(preparation: Preparation | null): string {
  if (preparation === null) return '';
  const { kiosk, webgl, dark, locale = {}, search_engine, adblock = false, draw = false } = preparation.chromium;
  return JSON.stringify([kiosk, webgl, dark, locale.language, locale.country, search_engine, adblock, draw]);
}
