import type { Notice } from '../../../protocol/generated/schemas.js';
import type { TabsDebugger } from '../files/tabs-debugger.js';
import type { Log } from '../../lib/log.js';

/** Milliseconds until a crashed page is loaded again: at first, and after it has crashed again and again. */
const [FIRST_MS, LONGEST_MS] = [1000, 60_000];

/** A page that has lived this long, in milliseconds, is loaded again as soon as at first. */
const STEADY_MS = 120_000;

const SETUP = { commands: [['Inspector.enable']], parts: [] } as const;

export interface CrashedPagesOptions {
  readonly tabs: Pick<TabsDebugger, 'listen' | 'tabs' | 'setUp' | 'call'>;
  /** Whether crashed pages are loaded again. */
  readonly isOn: () => boolean;
  readonly log: Log;
  readonly tell: (notice: Notice) => void;
}

interface Crash {
  readonly timer: NodeJS.Timeout;
  readonly pause: number;
  readonly at: number;
}

/** Loads pages that have crashed again, where nobody may be there to do so. */
export class CrashedPages {
  readonly #options: CrashedPagesOptions;
  readonly #crashes = new Map<number, Crash>();

  constructor(options: CrashedPagesOptions) {
    this.#options = options;
    const { tabs, isOn } = options;
    tabs.listen({
      fresh: () => {
        this.stop();
        if (isOn()) void this.#watchAll();
      },
      page: tabId => {
        if (isOn()) void this.#watch(tabId);
      },
      gone: tabId => this.#forget(tabId),
      event: ({ tabId, sessionId }, method) => {
        if (isOn() && sessionId === undefined && method === 'Inspector.targetCrashed') this.#crashed(tabId);
      },
    });
  }

  stop(): void {
    for (const tabId of [...this.#crashes.keys()]) this.#forget(tabId);
  }

  #forget(tabId: number): void {
    clearTimeout(this.#crashes.get(tabId)?.timer);
    this.#crashes.delete(tabId);
  }

  async #watchAll(): Promise<void> {
    const tabs = await this.#options.tabs.tabs({}).catch(() => []);
    await Promise.all(tabs.map(({ id }) => this.#watch(id)));
  }

  /** Chromium's own pages do not allow debuggers, and stay as they are. */
  async #watch(tabId: number): Promise<void> {
    await this.#options.tabs.setUp(tabId, 'crashes', SETUP).catch(() => undefined);
  }

  #crashed(tabId: number): void {
    const { tabs, log, tell } = this.#options;
    const now = performance.now();
    const before = this.#crashes.get(tabId);
    clearTimeout(before?.timer);
    const isSteady = before === undefined || now - before.at > before.pause + STEADY_MS;
    const pause = isSteady ? FIRST_MS : Math.min(LONGEST_MS, 2 * before.pause);
    log.warn('page crashed', { pause_ms: pause });
    tell({ type: 'notice', code: 'page_crashed', message: 'The page has crashed and is loaded again.' });
    const timer = setTimeout(() => void tabs.call('tabs.reload', [tabId]).catch(() => undefined), pause);
    this.#crashes.set(tabId, { timer, pause, at: now });
  }
}
