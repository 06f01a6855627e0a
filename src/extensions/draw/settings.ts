import { COLORS, WIDTHS, type State } from './state.js';

const KEY = 'settings';

/** Settings that persist from page to page. */
export type Settings = Pick<State, 'color' | 'width'> & {
  /** Position of the tools, in CSS pixels of the window, once they were moved. */
  readonly place?: { readonly left: number; readonly top: number };
};

/** The settings of the last page; undefined if there are none. */
export async function load(): Promise<Settings | undefined> {
  const { [KEY]: found } = await chrome.storage.local.get(KEY).catch(() => ({ [KEY]: undefined }));
  const settings = found as Settings | undefined;
  return settings && settings.color in COLORS && settings.width in WIDTHS ? settings : undefined;
}

/** Stores the settings. A page older than the extension's last update cannot store anything. */
export function save(settings: Settings): void {
  chrome.storage.local.set({ [KEY]: settings }).catch(() => undefined);
}
