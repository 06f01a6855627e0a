import type { ExtensionChannel } from '../extension/extension-channel.js';

/**
 * Makes tabs of the preset `chrome_android` report a phone where flags have no effect: in scripts of pages and their
 * workers, and in requests. Returns a function that does this to a tab and never rejects. `isPhone` says whether the
 * session has that preset.
 */
export function phoneTabs(
  extension: Pick<ExtensionChannel, 'on' | 'call'>,
  isPhone: () => boolean,
): (tabId: number) => Promise<void> {
  const become = async (tabId: number) => {
    if (!isPhone()) return;
    // Chromium's own pages do not allow debuggers. It is retried with the tab's next page.
    await extension.call('phone', [tabId]).catch(() => undefined);
  };
  extension.on('tabs.onCreated', ([tab]) => void become(Number((tab as { id?: unknown } | null)?.id)));
  extension.on('tabs.onUpdated', ([tabId, change]) => {
    if ((change as { status?: unknown } | null)?.status === 'loading') void become(Number(tabId));
  });
  return become;
}
