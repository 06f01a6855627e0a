import type { ChromiumOptions, ExtensionTab, LaunchChromium } from '../../../protocol/generated/schemas.js';
import { isPageless } from '../../../protocol/extension.js';
import { isFlag, type Handover } from '../../handover/handover.js';
import type { Log } from '../../lib/log.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';
import { queryTabs } from '../tabs/query-tabs.js';
import type { Swap, SwapFilter } from '../tabs/swap-filter.js';
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
export function pageToOpen(tab: ExtensionTab, start: string): string | undefined {
  const { url, pendingUrl, status } = tab;
  if (isPageless(tab)) return undefined;
  if ((pendingUrl || url) === WAITING_PAGE) return start;
  // Chromium silently drops a request that starts at the moment when an extension that inspects requests is loaded: the
  // tab stays empty and counts as complete.
  const isDropped = !url && status === 'complete';
  return isDropped ? pendingUrl : undefined;
}

export interface FirstPagesOptions {
  readonly extension: Pick<ExtensionChannel, 'on' | 'call' | 'isConnected'>;
  /** What the browser was started with. */
  readonly launch: Pick<LaunchChromium, 'chromium' | 'display'>;
  readonly handover: Handover;
  readonly log: Log;
  /** Hides from clients that another tab took the place of the one without a page. */
  readonly swaps: Pick<SwapFilter, 'hold' | 'release' | 'drop'>;
  /** Awaited for each tab before its page is opened. */
  readonly prepare: (tabId: number) => Promise<void>;
  /** Opens a page in a tab of its own, also of a browser that is starting. */
  readonly open: (url: string, signal: AbortSignal) => Promise<void>;
  /** The page of a launch is open in a browser that was prepared. */
  readonly opened: () => void;
  /** It could not be opened. */
  readonly failed: () => void;
}

/** Whether a prepared browser still has its tab without a page, for the next agent. */
const NAME = 'first-page';

/** Milliseconds after which Chromium has surely written down its page. If it dies earlier, it may come back without. */
const WRITTEN_MS = 10_000;

/**
 * What is known of the page of a launch in a prepared browser: `there`, as in all other browsers; still to be opened;
 * being opened; open, beside the tab without a page; unknown, after the browser or the agent died.
 */
type Page = 'there' | 'missing' | 'opening' | 'beside' | 'unknown';

/**
 * Replaces the waiting page by the start page, and reopens dropped pages, once the browser has loaded its extensions;
 * in a prepared browser, opens that of the launch in the place of the tab without a page.
 */
export class FirstPages {
  readonly #options: FirstPagesOptions;
  readonly #now: () => number;
  #launch: FirstPagesOptions['launch'];
  #page: Page = 'there';
  #replacedAt = -Infinity;
  /** Ends what is being done about the page. */
  #opening = new AbortController();

  /** `now`: milliseconds of a steady clock. */
  constructor(options: FirstPagesOptions, now = () => performance.now()) {
    this.#options = options;
    this.#now = now;
    this.#launch = options.launch;
    if (options.handover.read(NAME, isFlag) === true) {
      this.#page = 'unknown';
      options.swaps.hold();
    }
    options.extension.on('connected', () => this.#connected());
  }

  /** The launch of the session; `isWithoutPage`: it takes over a browser that was started without a page. */
  launched(launch: FirstPagesOptions['launch'], isWithoutPage: boolean): void {
    const { extension, handover, swaps } = this.#options;
    const [before, { display, chromium }] = [this.#launch.display, launch];
    this.#launch = launch;
    this.#opening.abort();
    if (!isWithoutPage) {
      this.#page = 'there';
      swaps.drop();
      return handover.remove(NAME);
    }
    this.#page = 'missing';
    swaps.hold();
    handover.write(NAME, true);
    const fills = before.width === display.width && before.height === display.height;
    if (extension.isConnected || (fills && !waitsForExtension(chromium))) void this.#open(fills);
  }

  /** The browser died, and is started again with the tabs that it had written down. */
  lost(): void {
    this.#opening.abort();
    if (this.#page !== 'there' || this.#now() - this.#replacedAt < WRITTEN_MS) this.#page = 'unknown';
  }

  stop(): void {
    this.#opening.abort();
  }

  #connected(): void {
    const { log } = this.#options;
    if (this.#page === 'opening') return;
    if (this.#page === 'missing') return void this.#open(false);
    if (this.#page === 'beside') return void this.#closePageless();
    this.#look().catch((error: unknown) => log.warn('first page not opened', { error: String(error) }));
  }

  /** Aborted as soon as what begins here no longer counts. */
  #begin(): AbortSignal {
    this.#opening.abort();
    this.#opening = new AbortController();
    return this.#opening.signal;
  }

  /** Opens the page of the launch; `fills`: the browser's window has the display's size. */
  async #open(fills: boolean): Promise<void> {
    const { extension, log, swaps, open, opened, failed } = this.#options;
    const { width, height } = this.#launch.display;
    this.#page = 'opening';
    const signal = this.#begin();
    swaps.hold();
    try {
      if (!fills) await extension.call('pages.fill', [{ width, height }]);
      if (!signal.aborted) await open(startUrl(this.#launch.chromium.start_url), signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn('page not opened in the prepared browser', { error: String(error) });
      return failed();
    }
    if (signal.aborted) return;
    log.info('page opened in the prepared browser');
    this.#page = 'beside';
    this.#replacedAt = this.#now();
    opened();
    if (extension.isConnected) await this.#closePageless();
  }

  async #closePageless(): Promise<void> {
    const { extension, log, failed } = this.#options;
    const signal = this.#begin();
    try {
      const swap = (await extension.call('pages.closePageless', [])) as Swap;
      if (!signal.aborted) this.#isThere(swap);
    } catch (error) {
      if (signal.aborted || !extension.isConnected) return;
      log.warn('tab without a page not closed', { error: String(error) });
      failed();
    }
  }

  #isThere(swap?: Swap): void {
    this.#page = 'there';
    this.#replacedAt = this.#now();
    this.#options.handover.remove(NAME);
    this.#options.swaps.release(swap);
  }

  /** Looks what a browser has open that has just started, or whose agent has. */
  async #look(): Promise<void> {
    const { extension, log, prepare } = this.#options;
    const tabs = await queryTabs(extension, {});
    if (this.#page === 'unknown') {
      if (tabs.length > 0 && tabs.every(isPageless)) return this.#open(false);
      if (tabs.some(isPageless)) return this.#closePageless();
      this.#isThere();
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
