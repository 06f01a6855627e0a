import type { ChromiumOptions } from '../../protocol/generated/schemas.js';
import { locale } from './locale.js';

/** Values of Chromium's `browser.theme.color_scheme`. */
const COLOR_SCHEME = { light: 1, dark: 2 } as const;

/** Value of `session.restore_on_startup`. */
const OPEN_PAGES = 4;

/** Chromium's own pages cannot be opened by its command line. */
export const isChromePage = (address: string) => address.startsWith('chrome:');

/** The preferences that a new profile begins with; people may change them. */
export function preferences(options: ChromiumOptions): Record<string, unknown> {
  const languages = locale(options.locale).languages.join(',');
  return {
    browser: {
      // The window manager's frame, which is none: a minimized window could not be brought back.
      custom_chrome_frame: false,
      has_seen_welcome_page: true,
      theme: { color_scheme: options.dark ? COLOR_SCHEME.dark : COLOR_SCHEME.light },
    },
    intl: { accept_languages: languages, selected_languages: languages },
    bookmark_bar: { show_on_all_tabs: false },
    ...(isChromePage(options.start_url) ? { session: { restore_on_startup: OPEN_PAGES, startup_urls: [options.start_url] } } : {}),
  };
}
