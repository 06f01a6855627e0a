import type { EventName } from './agent-socket.js';

/** The DevTools protocol for tabs. A tab that was sent a command stays attached. */
export class TabDebugger {
  static readonly #VERSION = '1.3';
  readonly #attached = new Map<number, Promise<void>>();

  /** `event` is called for `debugger.onEvent` and `debugger.onDetach` of attached tabs. */
  constructor(event: (name: EventName, args: readonly unknown[]) => void) {
    chrome.debugger.onEvent.addListener((...args) => event('debugger.onEvent', args));
    chrome.debugger.onDetach.addListener((source, reason) => {
      if (source.tabId !== undefined) this.#attached.delete(source.tabId);
      event('debugger.onDetach', [source, reason]);
    });
  }

  /**
   * Sends a command to a tab, or to a part of its page with its own session; rejects with Chrome's own text, also if
   * the tab's page does not allow debuggers.
   */
  async send(
    tabId: number,
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
  ): Promise<unknown> {
    await this.attach(tabId);
    return chrome.debugger.sendCommand(sessionId === undefined ? { tabId } : { tabId, sessionId }, method, params);
  }

  /** Sends a command to a tab without waiting for its answer: resolves when it is on its way. */
  async request(tabId: number, method: string): Promise<void> {
    await this.attach(tabId);
    chrome.debugger.sendCommand({ tabId }, method).catch(() => undefined);
  }

  /** Attaches to a tab; rejects with Chrome's own text if its page does not allow debuggers. */
  attach(tabId: number): Promise<void> {
    const attached = this.#attached.get(tabId) ?? this.#tryToAttach(tabId);
    this.#attached.set(tabId, attached);
    attached.catch(() => this.#attached.delete(tabId));
    return attached;
  }

  async #tryToAttach(tabId: number): Promise<void> {
    try {
      await chrome.debugger.attach({ tabId }, TabDebugger.#VERSION);
    } catch (error) {
      // Chromium keeps a tab attached when it suspends an idle extension.
      const targets = await chrome.debugger.getTargets();
      if (!targets.some(target => target.tabId === tabId && target.attached)) throw error;
      await chrome.debugger.sendCommand({ tabId }, 'Runtime.getIsolateId');
    }
  }
}
