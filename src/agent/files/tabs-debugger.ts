import type { Equipment } from '../../protocol/extension.js';
import type { ExtensionChannel } from '../browser/extension/extension-channel.js';

/** The properties of a tab that matter to files; sizes are those of its page, in pixels of the display. */
export interface Tab {
  readonly id: number;
  readonly width: number;
  readonly height: number;
}

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
    return ((await this.#extension.call('debugger.send', [tabId, method, params, ...session])) ?? {}) as Record<
      string,
      unknown
    >;
  }

  /** Sets up a tab, replacing an earlier setup of the same name. @throws CallFailure */
  async equip(tabId: number, name: string, equipment: Equipment): Promise<void> {
    await this.#extension.call('equip', [tabId, name, equipment]);
  }

  /** @throws CallFailure */
  async tabs(query: Record<string, unknown>): Promise<Tab[]> {
    return (await this.#extension.call('tabs.query', [query])) as Tab[];
  }
}

const field = (value: unknown, name: string) => Number((value as Record<string, unknown> | null)?.[name]);
const targetOf = (source: unknown): Target => {
  const { sessionId } = (source ?? {}) as { sessionId?: unknown };
  return { tabId: field(source, 'tabId'), ...(typeof sessionId === 'string' ? { sessionId } : {}) };
};
const isLoading = (change: unknown) => (change as { status?: unknown } | null)?.status === 'loading';
