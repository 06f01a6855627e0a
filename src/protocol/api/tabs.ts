/** A tab, as `chrome.tabs` describes it. */
export interface Tab {
  id?: number;
  index: number;
  windowId: number;
  openerTabId?: number;
  groupId: number;
  active: boolean;
  highlighted: boolean;
  pinned: boolean;
  audible?: boolean;
  discarded: boolean;
  autoDiscardable: boolean;
  mutedInfo?: { muted: boolean; reason?: string; extensionId?: string };
  url?: string;
  pendingUrl?: string;
  title?: string;
  favIconUrl?: string;
  status?: 'unloaded' | 'loading' | 'complete';
  incognito: boolean;
  width?: number;
  height?: number;
  lastAccessed?: number;
}

/** A tab's ID. Methods with an optional one default to the active tab. */
export type TabId = number;

/** A tab to create, as for `chrome.tabs.create`. */
export interface CreateProperties {
  url?: string;
  index?: number;
  active?: boolean;
  pinned?: boolean;
  openerTabId?: TabId;
  windowId?: number;
}

/** Changes of a tab, as for `chrome.tabs.update`. */
export interface UpdateProperties {
  url?: string;
  active?: boolean;
  highlighted?: boolean;
  pinned?: boolean;
  muted?: boolean;
  openerTabId?: TabId;
  autoDiscardable?: boolean;
}

/** A filter for tabs; all conditions must hold. */
export interface TabQuery {
  active?: boolean;
  audible?: boolean;
  autoDiscardable?: boolean;
  currentWindow?: boolean;
  discarded?: boolean;
  groupId?: number;
  highlighted?: boolean;
  index?: number;
  lastFocusedWindow?: boolean;
  muted?: boolean;
  pinned?: boolean;
  status?: 'unloaded' | 'loading' | 'complete';
  title?: string;
  url?: string | string[];
  windowId?: number;
}

/** How a tab is zoomed, as in `chrome.tabs`. */
export interface ZoomSettings {
  mode?: 'automatic' | 'manual' | 'disabled';
  scope?: 'per-origin' | 'per-tab';
  defaultZoomFactor?: number;
}

/** The changes of a tab. */
export type TabChange = Partial<
  Pick<
    Tab,
    | 'audible'
    | 'autoDiscardable'
    | 'discarded'
    | 'favIconUrl'
    | 'groupId'
    | 'mutedInfo'
    | 'pinned'
    | 'status'
    | 'title'
    | 'url'
  >
>;

/** An event of `chrome.tabs`. */
export interface TabEvents<Args extends unknown[]> {
  /** Calls a function for each event from now on. */
  addListener(listener: (...args: Args) => void): void;
  /** Calls it no longer. */
  removeListener(listener: (...args: Args) => void): void;
  /** Whether it is called. */
  hasListener(listener: (...args: Args) => void): boolean;
}

/**
 * The session's tabs: a remote interface to Chrome's own `chrome.tabs`. Methods reject with a `CallError` with Chrome's
 * text. Calls and events need the role `chrome_apis`.
 */
export interface Tabs {
  create(properties: CreateProperties): Promise<Tab>;
  detectLanguage(tabId?: TabId): Promise<string>;
  discard(tabId?: TabId): Promise<Tab>;
  duplicate(tabId: TabId): Promise<Tab>;
  get(tabId: TabId): Promise<Tab>;
  getZoom(tabId?: TabId): Promise<number>;
  getZoomSettings(tabId?: TabId): Promise<ZoomSettings>;
  goBack(tabId?: TabId): Promise<void>;
  goForward(tabId?: TabId): Promise<void>;
  group(options: {
    tabIds: TabId | TabId[];
    groupId?: number;
    createProperties?: { windowId?: number };
  }): Promise<number>;
  highlight(info: { tabs: number | number[]; windowId?: number }): Promise<unknown>;
  move(tabId: TabId, properties: { index: number; windowId?: number }): Promise<Tab>;
  move(tabIds: TabId[], properties: { index: number; windowId?: number }): Promise<Tab[]>;
  query(query: TabQuery): Promise<Tab[]>;
  reload(tabId?: TabId, properties?: { bypassCache?: boolean }): Promise<void>;
  remove(tabIds: TabId | TabId[]): Promise<void>;
  setZoom(zoomFactor: number): Promise<void>;
  setZoom(tabId: TabId, zoomFactor: number): Promise<void>;
  setZoomSettings(settings: ZoomSettings): Promise<void>;
  setZoomSettings(tabId: TabId, settings: ZoomSettings): Promise<void>;
  ungroup(tabIds: TabId | TabId[]): Promise<void>;
  update(properties: UpdateProperties): Promise<Tab>;
  update(tabId: TabId, properties: UpdateProperties): Promise<Tab>;
  readonly onActivated: TabEvents<[{ tabId: TabId; windowId: number }]>;
  readonly onCreated: TabEvents<[Tab]>;
  readonly onHighlighted: TabEvents<[{ tabIds: TabId[]; windowId: number }]>;
  readonly onMoved: TabEvents<[TabId, { windowId: number; fromIndex: number; toIndex: number }]>;
  readonly onRemoved: TabEvents<[TabId, { windowId: number; isWindowClosing: boolean }]>;
  readonly onReplaced: TabEvents<[addedTabId: TabId, removedTabId: TabId]>;
  readonly onUpdated: TabEvents<[TabId, TabChange, Tab]>;
  readonly onZoomChange: TabEvents<
    [{ tabId: TabId; oldZoomFactor: number; newZoomFactor: number; zoomSettings: ZoomSettings }]
  >;
}
