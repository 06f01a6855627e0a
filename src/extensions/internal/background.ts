/** The internal extension, through which the agent controls the browser. */
import type { Bookmark } from '../../protocol/bookmarks.js';
import type { ProxyCredentials } from '../../protocol/extension.js';
import type { ExtensionCall } from '../../protocol/generated/schemas.js';
import type { Place } from './active.js';
import { AgentSocket, type EventName } from './agent-socket.js';
import { appendBookmarks } from './bookmarks.js';
import { TabDebugger } from './debugger.js';
import { Dialogs } from './dialogs.js';
import { closePageless, fillDisplay } from './first-page.js';
import { TabSetups } from './tab-setups.js';
import { Kiosk } from './kiosk.js';
import { LoadDialogs } from './load-dialogs.js';
import { OpenDialogs } from './open-dialogs.js';
import { refusePasskeys } from './passkeys.js';
import { phone } from './phone.js';
import { ProxyAnswers } from './proxy.js';
import { scroll } from './scroll.js';
import { swipe } from './swipe.js';
import { callTabs, listenToTabs } from './tabs.js';
import { TouchScreen } from './touch.js';

const event = (name: EventName, args: readonly unknown[]) => agent.event(name, args);
const tabDebugger = new TabDebugger(event);
const openDialogs = new OpenDialogs(list => event('dialogs.onChanged', [list]));
const dialogs = new Dialogs(tabDebugger, openDialogs);
const kiosk = new Kiosk();
const tabSetups = new TabSetups(tabDebugger);
const touchScreen = new TouchScreen(tabDebugger);
const proxyAnswers = new ProxyAnswers();

/** Calls of the agent besides `tabs.*`. */
const METHODS: Record<string, (...args: never[]) => unknown> = {
  'debugger.send': (...args: Parameters<TabDebugger['send']>) => tabDebugger.send(...args),
  'pages.fill': (...args: Parameters<typeof fillDisplay>) => fillDisplay(...args),
  'pages.closePageless': () => closePageless(),
  'dialogs.end': () => dialogs.end(),
  'dialogs.tell': () => openDialogs.tell(),
  'dialogs.answer': (...args: Parameters<OpenDialogs['answer']>) => openDialogs.answer(...args),
  'bookmarks.append': (bookmarks: Bookmark[]) => appendBookmarks(bookmarks),
  scroll: (place: Place, dx: number, dy: number) => scroll(tabDebugger, place, dx, dy),
  swipe,
  'debugger.setUp': (...args: Parameters<TabSetups['setUp']>) => tabSetups.setUp(...args),
  phone: async (tabId: number) => tabSetups.setUp(tabId, 'phone', await phone()),
  touch: (...args: Parameters<TouchScreen['touch']>) => touchScreen.touch(...args),
  'touch.isPage': (place: Place) => touchScreen.isPage(place),
  'proxy.credentials': (credentials: ProxyCredentials | null) => proxyAnswers.know(credentials),
  'touch.reset': () => touchScreen.reset(),
};

async function carryOut({ method, args }: ExtensionCall): Promise<unknown> {
  if (method.startsWith('tabs.')) return callTabs({ dialogs, kiosk }, method.slice('tabs.'.length), args);
  const carry = METHODS[method];
  if (carry === undefined) throw new Error(`There is no method ${method}.`);
  return carry(...(args as never[]));
}

const agent = new AgentSocket(carryOut);
listenToTabs(event);
new LoadDialogs(tabDebugger, openDialogs);
refusePasskeys();

// Everything that wakes the extension makes it connect: the start of the browser, and an alarm after it was suspended.
chrome.runtime.onStartup.addListener(() => undefined);
chrome.alarms.onAlarm.addListener(() => undefined);
void chrome.alarms.create('wake', { periodInMinutes: 0.5 });
