import type { Equipment } from '../../protocol/extension.js';
import type { ExtensionChannel } from '../browser/extension/extension-channel.js';

/** A tab as far as files are concerned; sizes are those of its page, in pixels of the display. */
export interface Tab {
  readonly id: number;
  readonly width: number;
  readonly height: number;
}

/** What commands are sent to: a tab, or a frame in it that another process shows, by the session that Chrome gave it. */
export interface Target {
  readonly tabId: number;
  readonly sessionId?: string;
}

export interface TabEventHandlers {
  /** The browser, or the extension, is new: nothing is attached any more. */
  fresh(): void;
  /** A tab has a page that was not there before. */
  page(tabId: number): void;
  /** A tab is gone, or nothing is told of it any more. */
  gone(tabId: number): void;
  event(target: Target, method: string, params: Readonly<Record<string, unknown>>): void;
}

/** The developer tools' protocol of the browser's tabs, through the internal extension. */
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

  /** Equips a tab, in the place of what the same name wanted of it before. @throws CallFailure */
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
