import type { EventName } from './agent-socket.js';
import { isTabMethod, TAB_EVENTS } from '../../protocol/tabs.js';

type Method = (...args: readonly unknown[]) => unknown;
type Listeners = { addListener(listener: (...args: unknown[]) => void): void };

/** Calls a method of `chrome.tabs` with its positional arguments. */
export async function callTabs(name: string, args: readonly unknown[]): Promise<unknown> {
  if (!isTabMethod(name)) throw new Error(`There is no method tabs.${name}.`);
  return (chrome.tabs[name] as Method)(...args);
}

/** Forwards Chrome's events; must be called while the extension starts, or they do not wake it. */
export function listenToTabs(event: (name: EventName, args: readonly unknown[]) => void): void {
  for (const name of TAB_EVENTS) {
    (chrome.tabs[name] as Listeners).addListener((...args) => event(`tabs.${name}`, args));
  }
}
