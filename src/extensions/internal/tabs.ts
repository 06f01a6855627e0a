import type { EventName } from './agent-socket.js';
import { isTabMethod, TAB_EVENTS, type TabMethod } from '../../protocol/tabs.js';
import type { Dialogs } from './dialogs.js';
import type { Kiosk } from './kiosk.js';

type Method = (...args: readonly unknown[]) => unknown;
type Listeners = { addListener(listener: (...args: unknown[]) => void): void };

/** Methods after which a tab may have another page, or none. */
const LEAVING: ReadonlySet<TabMethod> = new Set(['goBack', 'goForward', 'reload', 'remove', 'update']);

/** Methods whose result is a tab that they opened. */
const OPENING: ReadonlySet<TabMethod> = new Set(['create', 'duplicate']);

interface Callers {
  readonly dialogs: Dialogs;
  readonly kiosk: Kiosk;
}

/** Calls a method of `chrome.tabs` with its positional arguments. Pages that it leaves are not asked. */
export async function callTabs({ dialogs, kiosk }: Callers, name: string, args: readonly unknown[]): Promise<unknown> {
  if (!isTabMethod(name)) throw new Error(`There is no method tabs.${name}.`);
  const call = async () => (chrome.tabs[name] as Method)(...args);
  if (OPENING.has(name)) return kiosk.open(call);
  return LEAVING.has(name) ? dialogs.leave(await leftTabs(name, args), call) : call();
}

/** The tabs whose pages a call leaves. */
async function leftTabs(name: TabMethod, args: readonly unknown[]): Promise<number[]> {
  const isUrl = (each: unknown) => typeof each === 'object' && each !== null && 'url' in each;
  if (name === 'update' && !args.some(isUrl)) return [];
  const named = [args[0]].flat().filter(each => typeof each === 'number');
  if (named.length > 0 || name === 'remove') return named;
  const tabs = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  return tabs.flatMap(({ id }) => id ?? []);
}

/** Forwards Chrome's events; must be called while the extension starts, or they do not wake it. */
export function listenToTabs(event: (name: EventName, args: readonly unknown[]) => void): void {
  for (const name of TAB_EVENTS) {
    (chrome.tabs[name] as Listeners).addListener((...args) => event(`tabs.${name}`, args));
  }
}
