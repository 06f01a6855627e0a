import { isChromePage } from './browser-url.js';
import type { Launch, LaunchChromium } from './generated/schemas.js';

/**
 * What the browser of a waiting container is started with: a launch that shows a blank page. It holds no address, no
 * credential and nothing else of a session that could be a secret, since it is in the container's environment.
 */
export type Preparation = LaunchChromium;

/** Whether a launch is of a kind that can be prepared. */
export const isPreparable = (launch: Launch): launch is Preparation => 'chromium' in launch;

const BLANK = 'about:blank';

/** Longest address that a running Chromium can be sent, in bytes: its message has room for 32 KiB, and a space takes three. */
const ADDRESS_MAX = 10_000;

/** The preparation for start requests without options, where the service has no time zone of its own. */
export const COMMON_PREPARATION: Preparation = {
  type: 'launch',
  kind: 'chromium',
  display: { width: 1280, height: 720, fps: 24, max_area: 1280 * 720, quality: 'smooth', hide_cursor: false },
  chromium: { start_url: BLANK, kiosk: false, webgl: false, dark: false },
};

/** The preparation for start requests without options; `timezone`: the service's own. */
export function commonPreparation(timezone: string | null): Preparation {
  if (timezone === null) return COMMON_PREPARATION;
  return { ...COMMON_PREPARATION, chromium: { ...COMMON_PREPARATION.chromium, timezone } };
}

/**
 * The preparation that suits a launch; null if none does: profiles, custom extensions, proxies, other user agents,
 * custom search engines, Chromium's own pages and very long addresses must be known when the browser starts.
 */
export function ownPreparation(launch: Launch): Preparation | null {
  if (!isPreparable(launch)) return null;
  const { start_url, kiosk, webgl, dark, user_agent, locale, profile, extension, http_proxy, ...options } =
    launch.chromium;
  const { search_engine, adblock, draw, timezone } = options;
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
      ...(timezone === undefined ? {} : { timezone }),
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
  const {
    kiosk,
    webgl,
    dark,
    locale = {},
    timezone,
    search_engine,
    adblock = false,
    draw = false,
  } = preparation.chromium;
  return JSON.stringify([kiosk, webgl, dark, locale.language, locale.country, timezone, search_engine, adblock, draw]);
}
