import type { ExtensionChannel } from '../extension/extension-channel.js';

/**
 * Has tabs of the preset `chrome_android` say that they are a phone's, which flags do not reach: in scripts of pages and
 * of their workers, and in requests. Gives what makes a tab one; that never rejects.
 */
export function phoneTabs(extension: Pick<ExtensionChannel, 'on' | 'call'>): (tabId: number) => Promise<void> {
  const become = async (tabId: number) => {
    // Chromium's own pages admit no debugger. The tab's next page is tried again.
    await extension.call('phone', [tabId]).catch(() => undefined);
  };
  extension.on('tabs.onCreated', ([tab]) => void become(Number((tab as { id?: unknown } | null)?.id)));
  extension.on('tabs.onUpdated', ([tabId, change]) => {
    if ((change as { status?: unknown } | null)?.status === 'loading') void become(Number(tabId));
  });
  return become;
}
