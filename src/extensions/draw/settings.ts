import { COLORS, WIDTHS, type State } from './state.js';

const KEY = 'settings';

/** What goes along from page to page. */
export type Settings = Pick<State, 'color' | 'width'> & {
  /** Where the tools are, in CSS pixels of the window, once they were moved. */
  readonly place?: { readonly left: number; readonly top: number };
};

/** The settings of the last page; undefined where there are none. */
export async function load(): Promise<Settings | undefined> {
  const { [KEY]: found } = await chrome.storage.local.get(KEY).catch(() => ({ [KEY]: undefined }));
  const settings = found as Settings | undefined;
  return settings && settings.color in COLORS && settings.width in WIDTHS ? settings : undefined;
}

/** Keeps them. A page that is older than the extension's update keeps nothing any more. */
export function save(settings: Settings): void {
  chrome.storage.local.set({ [KEY]: settings }).catch(() => undefined);
}
