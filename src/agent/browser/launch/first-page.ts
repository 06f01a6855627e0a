import type { ChromiumOptions, ExtensionTab, LaunchChromium } from '../../../protocol/generated/schemas.js';
import { isFlag, type Handover } from '../../handover/handover.js';
import type { Log } from '../../log.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';
import { queryTabs } from '../tabs/query-tabs.js';
import type { Swap, SwapFilter } from '../tabs/swap-filter.js';
import { BLANK, startUrl } from './start-url.js';

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

export interface FirstPagesOptions {
  readonly extension: Pick<ExtensionChannel, 'on' | 'call' | 'isConnected'>;
  readonly launch: Pick<LaunchChromium, 'chromium' | 'display'>;
  readonly handover: Handover;
  readonly log: Log;
  /** Hides from clients that a page took the place of the blank one. */
  readonly swaps: Pick<SwapFilter, 'hold' | 'release' | 'drop'>;
  /** Awaited for each tab before its page is opened. */
  readonly prepare: (tabId: number) => Promise<void>;
  /** The page of a launch is open in a browser that was prepared. */
  readonly opened: () => void;
  /** It could not be opened. */
  readonly failed: () => void;
}

/** Whether a prepared browser still has its blank page, for the next agent. */
const NAME = 'first-page';

/**
 * Milliseconds after which Chromium has surely written down that the blank page is gone. If it dies earlier, it comes
 * back with that.
 */
const WRITTEN_MS = 10_000;

/**
 * Replaces the waiting page by the start page, and reopens dropped pages, once the browser has loaded its extensions;
 * in a prepared browser, replaces the blank page by that of the launch.
 */
export class FirstPages {
  readonly #options: FirstPagesOptions;
  readonly #now: () => number;
  #launch: FirstPagesOptions['launch'];
  /** Whether the browser has its blank page; after it died, it may have come back with it. */
  #isBlank: boolean | 'maybe';
  #replacedAt = -Infinity;

  /** `now`: milliseconds of a steady clock. */
  constructor(options: FirstPagesOptions, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
    this.#launch = options.launch;
    this.#isBlank = options.handover.read(NAME, isFlag) === true;
    if (this.#isBlank) options.swaps.hold();
    options.extension.on('connected', () => this.#connected());
  }

  /** The launch of the session; `isBlank`: it takes over a prepared browser. */
  launched(launch: FirstPagesOptions['launch'], isBlank: boolean): void {
    this.#launch = launch;
    this.#isBlank = isBlank;
    const { extension, handover, swaps } = this.#options;
    if (!isBlank) {
      swaps.drop();
      return handover.remove(NAME);
    }
    swaps.hold();
    handover.write(NAME, true);
    if (extension.isConnected) this.#connected();
  }

  /** The browser died, and is started again with the tabs that it had written down. */
  lost(): void {
    if (this.#isBlank || this.#now() - this.#replacedAt < WRITTEN_MS) this.#isBlank = 'maybe';
  }

  #connected(): void {
    const { log } = this.#options;
    if (this.#isBlank === true) return void this.#replaceBlank();
    this.#open().catch((error: unknown) => log.warn('first page not opened', { error: String(error) }));
  }

  async #replaceBlank(): Promise<void> {
    const { log, failed } = this.#options;
    await this.#swap().catch((error: unknown) => {
      log.warn('page not opened in the prepared browser', { error: String(error) });
      failed();
    });
  }

  async #swap(): Promise<void> {
    const { extension, log, swaps, opened } = this.#options;
    const { width, height } = this.#launch.display;
    swaps.hold();
    const swap = await extension.call('pages.first', [startUrl(this.#launch.chromium.start_url), { width, height }]);
    this.#replacedAt = this.#now();
    this.#hasPage(swap as Swap);
    log.info('page opened in the prepared browser');
    opened();
  }

  #hasPage(swap?: Swap): void {
    this.#isBlank = false;
    this.#options.handover.remove(NAME);
    this.#options.swaps.release(swap);
  }

  async #open(): Promise<void> {
    const { extension, log, prepare } = this.#options;
    const tabs = await queryTabs(extension, {});
    if (this.#isBlank) {
      const isBlank = tabs.length > 0 && tabs.every(({ url, pendingUrl }) => (pendingUrl || url) === BLANK);
      if (isBlank) return this.#replaceBlank();
      this.#hasPage();
    }
    for (const tab of tabs) {
      await prepare(tab.id);
      const url = pageToOpen(tab, startUrl(this.#launch.chromium.start_url));
      if (url === undefined) continue;
      log.info('first page opened', { waited: (tab.pendingUrl || tab.url) === WAITING_PAGE });
      await extension.call('tabs.update', [tab.id, { url }]);
    }
  }
}
