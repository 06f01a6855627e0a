import type { ChromiumOptions } from '../../protocol/generated/schemas.js';
import type { Log } from '../log.js';
import type { ExtensionChannel } from './extension-channel.js';
import { startUrl } from './start-url.js';

/** Chromium starts on it instead of the start page where that must wait until extensions are loaded. */
export const WAITING_PAGE = 'data:text/html,%20%20';

/**
 * Whether the start page must wait: scripts of extensions reach only pages that are opened after them, and people
 * would be asked for the proxy's credentials.
 */
export function waitsForExtension({ start_url, extension, user_agent, http_proxy }: ChromiumOptions): boolean {
  const needsOne = extension === true || http_proxy?.username !== undefined;
  // The preset's own extension opens it.
  return needsOne && user_agent === undefined && /^https?:/i.test(startUrl(start_url));
}

/** Opens the start page in the place of the waiting page each time that the browser has loaded its extensions. */
export function openFirstPage(extension: ExtensionChannel, { start_url }: ChromiumOptions, log: Log): void {
  extension.on('connected', () => {
    open(extension, startUrl(start_url)).catch((error: unknown) =>
      log.warn('start page not opened', { error: String(error) }),
    );
  });
}

async function open(extension: ExtensionChannel, url: string): Promise<void> {
  const tabs = (await extension.call('tabs.query', [{}])) as { id: number; url?: string; pendingUrl?: string }[];
  for (const { id, ...tab } of tabs) {
    if ((tab.pendingUrl || tab.url) === WAITING_PAGE) await extension.call('tabs.update', [id, { url }]);
  }
}
