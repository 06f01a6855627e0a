import type { MakeCall } from '../../protocol/make-call.js';
import { TAB_EVENTS, TAB_METHODS } from '../../protocol/tabs.js';
import { safely } from '../lib/safely.js';
import type { TabEvents, Tabs } from '../../protocol/api/tabs.js';

type Listener = (...args: unknown[]) => void;

/** The session's tabs, and the entry point for their events. */
export interface RemoteTabs {
  tabs: Tabs;
  /** Dispatches an event to the listeners of `tabs.onCreated` and the like. */
  dispatch(name: string, args: readonly unknown[]): void;
}

/** Creates `tabs`, whose methods are calls to the session. */
export function remoteTabs(call: MakeCall): RemoteTabs {
  const events = new Map(TAB_EVENTS.map(name => [`tabs.${name}`, new Set<Listener>()]));
  const methods = TAB_METHODS.map(name => [name, async (...args: unknown[]) => call(`tabs.${name}`, checked(args))]);
  const targets = TAB_EVENTS.map(name => [name, eventOf(events.get(`tabs.${name}`) as Set<Listener>)]);
  return {
    tabs: Object.freeze(Object.fromEntries([...methods, ...targets])) as Tabs,
    dispatch: (name, args) => {
      for (const listener of [...(events.get(name) ?? [])]) safely(() => listener(...args));
    },
  };
}

function eventOf(listeners: Set<Listener>): TabEvents<unknown[]> {
  return Object.freeze({
    addListener(listener: Listener) {
      if (typeof listener !== 'function') throw new TypeError('listener must be a function');
      listeners.add(listener);
    },
    removeListener: (listener: Listener) => void listeners.delete(listener),
    hasListener: (listener: Listener) => listeners.has(listener),
  });
}

/** @throws TypeError if there is a callback among the arguments */
function checked(args: unknown[]): unknown[] {
  if (args.some(arg => typeof arg === 'function')) throw new TypeError('there are no callbacks: await the result');
  return args;
}
