import type { ChromiumOptions } from '../../../protocol/generated/schemas.js';
import { locale } from './locale.js';
import { DEFAULT_PROFILE, UPLOAD_FOLDER } from '../paths.js';

/** Values of Chromium's `browser.theme.color_scheme`. */
const COLOR_SCHEME = { light: 1, dark: 2 } as const;

/** Values of `session.restore_on_startup`. */
const OPEN_PAGES = 4;
const OPEN_NEW_TAB = 5;

/** Chromium's own pages cannot be opened by its command line. */
export const isChromePage = (address: string | undefined) => address?.startsWith('chrome:') === true;

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
    // Chromium's own file dialog begins with what viewers brought along.
    selectfile: { last_directory: UPLOAD_FOLDER },
    ...(isChromePage(options.start_url)
      ? { session: { restore_on_startup: OPEN_PAGES, startup_urls: [options.start_url] } }
      : {}),
  };
}

/**
 * The preferences of a saved profile as a session begins with them: what people set stays, unless the session was
 * started with an option for it.
 */
export function renewed(saved: string, options: ChromiumOptions): Record<string, unknown> {
  const fresh = preferences(options) as Tree;
  const kept = parsed(saved);
  const { browser, session } = kept as { browser?: Tree; session?: Tree };
  const { theme, ...window } = fresh['browser'] as Tree;
  return {
    ...kept,
    browser: { ...browser, ...window, ...(options.dark || browser?.['theme'] === undefined ? { theme } : {}) },
    ...(options.locale === undefined && kept['intl'] !== undefined ? {} : { intl: fresh['intl'] }),
    session: {
      ...session,
      // An earlier session's start page must not come up again.
      ...(session?.['restore_on_startup'] === OPEN_PAGES ? { restore_on_startup: OPEN_NEW_TAB, startup_urls: [] } : {}),
      ...(fresh['session'] as Tree | undefined),
    },
  };
}

/** The state that a saved profile's browser had, without the profiles that somebody has added in it: they are not kept. */
export function withoutOthers(saved: string): Tree {
  const state = parsed(saved);
  const profile = treeOf(state['profile']);
  const known = treeOf(profile['info_cache'])[DEFAULT_PROFILE];
  const only = {
    info_cache: known === undefined ? {} : { [DEFAULT_PROFILE]: known },
    last_used: DEFAULT_PROFILE,
    last_active_profiles: [],
    profiles_order: [DEFAULT_PROFILE],
  };
  return { ...state, profile: { ...profile, ...only } };
}

/** A part of Chromium's preferences. */
export type Tree = Record<string, unknown>;

/** Preferences as Chromium has written them; none where they are damaged. */
export function parsed(text: string): Tree {
  try {
    return treeOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A value of Chromium's preferences that must have parts; none where it has none. */
export const treeOf = (value: unknown): Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {};
