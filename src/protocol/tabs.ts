/** The methods of `chrome.tabs` that can be called, as `tabs.<method>`. */
export const TAB_METHODS = [
  'create',
  'detectLanguage',
  'discard',
  'duplicate',
  'get',
  'getZoom',
  'getZoomSettings',
  'goBack',
  'goForward',
  'group',
  'highlight',
  'move',
  'query',
  'reload',
  'remove',
  'setZoom',
  'setZoomSettings',
  'ungroup',
  'update',
] as const;

/** Methods that change nothing. */
export const READING_TAB_METHODS: ReadonlySet<TabMethod> = new Set([
  'detectLanguage',
  'get',
  'getZoom',
  'getZoomSettings',
  'query',
]);

export type TabMethod = (typeof TAB_METHODS)[number];

/** The events of `chrome.tabs` that are forwarded, as `tabs.<event>`. */
export const TAB_EVENTS = [
  'onActivated',
  'onCreated',
  'onHighlighted',
  'onMoved',
  'onRemoved',
  'onReplaced',
  'onUpdated',
  'onZoomChange',
] as const;

export type TabEvent = (typeof TAB_EVENTS)[number];

const METHODS: ReadonlySet<string> = new Set(TAB_METHODS);

/** Whether this is a method of `chrome.tabs` that can be called. */
export const isTabMethod = (name: string): name is TabMethod => METHODS.has(name);
