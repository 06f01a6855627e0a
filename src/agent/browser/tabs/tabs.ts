import type { SessionEvent } from '../../../protocol/generated/schemas.js';
import { isTabMethod, TAB_EVENTS } from '../../../protocol/tabs.js';
import { CallFailure, type Calls } from '../../link/calls.js';
import type { Log } from '../../lib/log.js';
import { throttledWarning } from '../../lib/throttled-warning.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';
import { bounded } from './bounded.js';
import { SwapFilter } from './swap-filter.js';
import { TabEvents } from './tab-events.js';

/** Handles calls of `tabs.*`, and forwards the events of tabs. */
export function offerTabs(
  extension: ExtensionChannel,
  calls: Calls,
  tell: (event: SessionEvent) => void,
  log: Log,
): { stop(): void; swaps: SwapFilter } {
  const events = new TabEvents(tell, throttledWarning(log, 'tab event left out'));
  const swaps = new SwapFilter((name, args) => events.offer(name, args));
  for (const name of TAB_EVENTS) extension.on(`tabs.${name}`, args => swaps.offer(`tabs.${name}`, args));
  calls.on('tabs.*', async (args, method) => {
    if (isTabMethod(method.slice('tabs.'.length))) return bounded(await extension.call(method, args));
    throw new CallFailure('unknown_method', `There is no method ${method}.`);
  });
  return { stop: () => events.stop(), swaps };
}
