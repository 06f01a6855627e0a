import type { ExtensionTab } from '../../../protocol/generated/schemas.js';
import isTab from '../../../protocol/generated/extension-tab.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';

/** The tabs that match a query of `chrome.tabs.query`; invalid ones are left out. @throws CallFailure */
export async function queryTabs(
  extension: Pick<ExtensionChannel, 'call'>,
  query: Record<string, unknown>,
): Promise<ExtensionTab[]> {
  const tabs = await extension.call('tabs.query', [query]);
  return Array.isArray(tabs) ? tabs.filter(isTab) : [];
}
