import { renameSync, writeFileSync } from 'node:fs';
import { isChromePage } from '../../../protocol/browser-url.js';
import type { ChromiumOptions } from '../../../protocol/generated/schemas.js';
import { locale } from './locale.js';
import { DEFAULT_PROFILE, PREFERENCES, UPLOAD_FOLDER } from '../paths.js';
import { textOf } from '../profile/text-of.js';
import { startUrl } from './start-url.js';

/** Values of Chromium's `browser.theme.color_scheme`. */
const COLOR_SCHEME = { light: 1, dark: 2 } as const;

/** Values of `session.restore_on_startup`. */
const OPEN_PAGES = 4;
const OPEN_NEW_TAB = 5;

/** Pixels of the display. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** The preferences of a new profile; users may change them. */
export function preferences(options: ChromiumOptions, display: Size): Record<string, unknown> {
  const languages = locale(options.locale).languages.join(',');
  return {
    browser: {
      // Uses the window manager's frame, which ordinary windows do not have: a minimized one could not be restored.
      custom_chrome_frame: false,
      window_placement: placement(display),
      has_seen_welcome_page: true,
      theme: { color_scheme: options.dark ? COLOR_SCHEME.dark : COLOR_SCHEME.light },
    },
    intl: { accept_languages: languages, selected_languages: languages },
    bookmark_bar: { show_on_all_tabs: false },
    // Chromium's own file dialog starts with viewers' uploads.
    selectfile: { last_directory: UPLOAD_FOLDER },
    ...(isChromePage(options.start_url)
      ? { session: { restore_on_startup: OPEN_PAGES, startup_urls: [startUrl(options.start_url)] } }
      : {}),
  };
}

/**
 * Where the first window is before the window manager enlarges it: a page is to be as wide as the display from the start.
 * One of exactly the display's size would be made a pixel smaller in both directions. The command line has flags for
 * this, but they hold for windows that pages open with a size, too.
 */
function placement({ width, height }: Size): Tree {
  const area = { work_area_left: 0, work_area_top: 0, work_area_right: width, work_area_bottom: height };
  return { left: 0, top: 0, right: width, bottom: height - 1, maximized: false, ...area };
}

/**
 * The preferences of a saved profile at the start of a session: users' settings are kept, unless the session was
 * started with an option for them. Whether it is dark is always the session's: light is an option, too.
 */
export function restoredPreferences(saved: string, options: ChromiumOptions, display: Size): Record<string, unknown> {
  const fresh = preferences(options, display) as Tree;
  const kept = parsed(saved);
  const { browser, session } = kept as { browser?: Tree; session?: Tree };
  const { theme, ...window } = fresh['browser'] as Tree;
  return {
    ...kept,
    browser: { ...browser, ...window, theme: { ...treeOf(browser?.['theme']), ...treeOf(theme) } },
    ...(options.locale === undefined && kept['intl'] !== undefined ? {} : { intl: fresh['intl'] }),
    session: {
      ...session,
      // An earlier session's start page must not reopen.
      ...(session?.['restore_on_startup'] === OPEN_PAGES ? { restore_on_startup: OPEN_NEW_TAB, startup_urls: [] } : {}),
      ...(fresh['session'] as Tree | undefined),
    },
  };
}

/** The state of a saved profile's browser, without profiles that users added in it: they are not kept. */
export function singleProfileState(saved: string): Tree {
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

/** Whether Chromium recorded in its profile that its last run ended normally. */
export function exitedNormally(path = PREFERENCES): boolean {
  return treeOf(parsed(textOf(path))['profile'])['exit_type'] === 'Normal';
}

/**
 * Removes from the profile how the last run of Chromium ended. After a crash, Chromium records no tabs until the last
 * run's are restored or a second window is opened, so that those are not lost.
 */
export function forgetExit(path = PREFERENCES): void {
  const preferences = parsed(textOf(path));
  const { exit_type: ending, ...profile } = treeOf(preferences['profile']);
  if (ending === undefined) return;
  // Renamed, so that an agent that is killed meanwhile leaves the old file intact.
  writeFileSync(`${path}.new`, JSON.stringify({ ...preferences, profile }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** A section of Chromium's preferences. */
export type Tree = Record<string, unknown>;

/** Preferences written by Chromium; empty if they are damaged. */
export function parsed(text: string): Tree {
  try {
    return treeOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A value of Chromium's preferences that must be an object; empty if it is not. */
export const treeOf = (value: unknown): Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {};
