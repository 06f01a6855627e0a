import type { SessionEvent } from '../../../protocol/generated/schemas.js';
import { TAB_EVENTS, TAB_METHODS, type TabMethod } from '../../../protocol/tabs.js';
import type { CallHandlers } from '../../link/calls.js';
import type { Log } from '../../lib/log.js';
import { throttledWarning } from '../../lib/throttled-warning.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';
import { bounded } from './bounded.js';
import { SwapFilter } from './swap-filter.js';
import { TabEvents } from './tab-events.js';

/** Handles the calls of `tabs.*`. */
export function tabCalls(extension: ExtensionChannel): CallHandlers<`tabs.${TabMethod}`> {
  const names = TAB_METHODS.map(method => `tabs.${method}` as const);
  const handlers = names.map(name => [name, async (...args: unknown[]) => bounded(await extension.call(name, args))]);
  return Object.fromEntries(handlers) as CallHandlers<`tabs.${TabMethod}`>;
}

/** Forwards the events of tabs. */
export function forwardTabEvents(
  extension: ExtensionChannel,
  tell: (event: SessionEvent) => void,
  log: Log,
): { stop(): void; swaps: SwapFilter } {
  const events = new TabEvents(tell, throttledWarning(log, 'tab event left out'));
  const swaps = new SwapFilter((name, args) => events.offer(name, args));
  for (const name of TAB_EVENTS) extension.on(`tabs.${name}`, args => swaps.offer(`tabs.${name}`, args));
  return { stop: () => events.stop(), swaps };
}
