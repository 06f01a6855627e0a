import type { TabSetup } from '../../../protocol/extension.js';
import type { ExtensionTab } from '../../../protocol/generated/schemas.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';
import { queryTabs } from '../tabs/query-tabs.js';

/** The target of a command: a tab, or an out-of-process frame in it, by the session ID that Chrome assigned. */
export interface Target {
  readonly tabId: number;
  readonly sessionId?: string;
}

export interface TabEventHandlers {
  /** The browser or the extension was restarted: nothing is attached any more. */
  fresh(): void;
  /** A tab has a new page. */
  page(tabId: number): void;
  /** A tab is gone, or can no longer be observed. */
  gone(tabId: number): void;
  event(target: Target, method: string, params: Readonly<Record<string, unknown>>): void;
}

/** DevTools protocol access to the browser's tabs, through the internal extension. */
export class TabsDebugger {
  readonly #extension: ExtensionChannel;

  constructor(extension: ExtensionChannel) {
    this.#extension = extension;
  }

  listen({ fresh, page, gone, event }: TabEventHandlers): void {
    const extension = this.#extension;
    extension.on('connected', fresh);
    extension.on('tabs.onCreated', ([tab]) => page(field(tab, 'id')));
    extension.on('tabs.onUpdated', ([tabId, change]) => isLoading(change) && page(Number(tabId)));
    extension.on('tabs.onRemoved', ([tabId]) => gone(Number(tabId)));
    extension.on('debugger.onDetach', ([source]) => gone(field(source, 'tabId')));
    extension.on('debugger.onEvent', ([source, method, params]) =>
      event(targetOf(source), String(method), (params ?? {}) as Record<string, unknown>),
    );
  }

  get isConnected(): boolean {
    return this.#extension.isConnected;
  }

  /** Sends a command. @throws CallFailure */
  async send(
    { tabId, sessionId }: Target,
    method: string,
    params: Record<string, unknown> = {},
  ): Promise<Record<string, unknown>> {
    const session = sessionId === undefined ? [] : [sessionId];
    const result = await this.#extension.call('debugger.send', [tabId, method, params, ...session]);
    return typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {};
  }

  /** Sets up a tab, replacing an earlier setup of the same name. @throws CallFailure */
  async setUp(tabId: number, name: string, setup: TabSetup): Promise<void> {
    await this.#extension.call('debugger.setUp', [tabId, name, setup]);
  }

  /** Calls another method of the extension. @throws CallFailure */
  call(method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#extension.call(method, args);
  }

  /** @throws CallFailure */
  tabs(query: Record<string, unknown>): Promise<ExtensionTab[]> {
    return queryTabs(this.#extension, query);
  }
}

const field = (value: unknown, name: string) => Number((value as Record<string, unknown> | null)?.[name]);
const targetOf = (source: unknown): Target => {
  const { sessionId } = (source ?? {}) as { sessionId?: unknown };
  return { tabId: field(source, 'tabId'), ...(typeof sessionId === 'string' ? { sessionId } : {}) };
};
const isLoading = (change: unknown) => (change as { status?: unknown } | null)?.status === 'loading';
