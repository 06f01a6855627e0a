import type { ChromiumOptions, ExtensionTab } from '../../../protocol/generated/schemas.js';
import type { Log } from '../../log.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';
import { queryTabs } from '../tabs/query-tabs.js';
import { startUrl } from './start-url.js';

/** Shown instead of the start page if that must wait until extensions are loaded. */
export const WAITING_PAGE = 'data:text/html,%20%20';

/**
 * Whether the start page must wait: extensions' scripts and rules affect only pages opened after they are loaded, and
 * users would be asked for proxy credentials. Irrelevant for pages that make no requests.
 */
export function waitsForExtension(options: ChromiumOptions): boolean {
  const { start_url, user_agent, adblock = false, draw = false, extension = false, http_proxy } = options;
  const needsOne = adblock || draw || extension || user_agent !== undefined || http_proxy?.username !== undefined;
  return needsOne && /^https?:/i.test(startUrl(start_url));
}

/** What must be opened in a tab of a browser that has just loaded its extensions; undefined if it has its page. */
export function pageToOpen({ url, pendingUrl, status }: ExtensionTab, start: string): string | undefined {
  if ((pendingUrl || url) === WAITING_PAGE) return start;
  // Chromium silently drops a request that starts at the moment when an extension that inspects requests is loaded: the
  // tab stays empty and counts as complete.
  const isDropped = !url && status === 'complete';
  return isDropped ? pendingUrl || undefined : undefined;
}

/**
 * Replaces the waiting page by the start page, and reopens dropped pages, once the browser has loaded its extensions.
 * `prepare` is awaited for each tab first.
 */
export function openFirstPages(
  extension: Pick<ExtensionChannel, 'on' | 'call'>,
  { start_url }: ChromiumOptions,
  log: Log,
  prepare?: (tabId: number) => Promise<void>,
): void {
  extension.on('connected', () => {
    open(extension, startUrl(start_url), log, prepare).catch((error: unknown) =>
      log.warn('first page not opened', { error: String(error) }),
    );
  });
}

async function open(
  extension: Pick<ExtensionChannel, 'call'>,
  start: string,
  log: Log,
  prepare: ((tabId: number) => Promise<void>) | undefined,
): Promise<void> {
  for (const tab of await queryTabs(extension, {})) {
    await prepare?.(tab.id);
    const url = pageToOpen(tab, start);
    if (url === undefined) continue;
    log.info('first page opened', { waited: (tab.pendingUrl || tab.url) === WAITING_PAGE });
    await extension.call('tabs.update', [tab.id, { url }]);
  }
}
