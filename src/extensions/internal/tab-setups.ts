import type { TabSetup, PagePart } from '../../protocol/extension.js';
import type { TabDebugger } from './debugger.js';

interface Tab {
  /** By the name of its user. */
  readonly setups: Map<string, TabSetup>;
  /** Parts of its page, by session. */
  readonly parts: Map<string, Part>;
}

interface Part {
  readonly type: PagePart;
  /** Session of the enclosing frame; undefined if that is the page itself. */
  readonly parent: string | undefined;
}

interface Attached {
  readonly sessionId: string;
  readonly targetInfo: { readonly type: string };
  readonly waitingForDebugger: boolean;
}

/**
 * Sets up tabs, and parts of their pages as they are created. Nothing else may send `Target.setAutoAttach`: the last
 * command to a target wins, so the requirements of several users must be combined.
 */
export class TabSetups {
  readonly #debugger: TabDebugger;
  readonly #tabs = new Map<number, Tab>();

  constructor(tabDebugger: TabDebugger) {
    this.#debugger = tabDebugger;
    chrome.debugger.onDetach.addListener(({ tabId = -1 }) => this.#tabs.delete(tabId));
    chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, params: object = {}) => {
      if (tabId === undefined) return;
      if (method === 'Target.attachedToTarget') this.#attached(tabId, params as Attached, sessionId);
      if (method === 'Target.detachedFromTarget') forget(this.#tabs.get(tabId), (params as Attached).sessionId);
    });
  }

  /**
   * Sets up a tab, replacing an earlier setup of the same name. Resolves when its page is set up; rejects with Chrome's
   * own text, also if the page does not allow debuggers.
   */
  async setUp(tabId: number, name: string, setup: TabSetup): Promise<void> {
    await Promise.all(this.#commands(tabId, setup));
    const tab = this.#tabs.get(tabId) ?? this.#begin(tabId);
    const before = tab.setups.get(name)?.parts ?? [];
    tab.setups.set(name, setup);
    const isMeant = ([, { type }]: [string, Part]) => before.includes(type) || setup.parts.includes(type);
    for (const [sessionId] of [...tab.parts].filter(isMeant)) void settled(this.#commands(tabId, setup, sessionId));
    for (const sessionId of holdersOf(tab)) void settled([this.#autoAttach(tabId, tab, sessionId)]);
    await this.#autoAttach(tabId, tab);
  }

  #begin(tabId: number): Tab {
    const tab: Tab = { setups: new Map(), parts: new Map() };
    this.#tabs.set(tabId, tab);
    // Chrome reports each attached target once, possibly to the extension before it was suspended as idle.
    void settled([this.#autoAttach(tabId, tab)]);
    return tab;
  }

  /** Does not wait for answers between commands: the part answers some of them only once it runs. */
  #attached(tabId: number, { sessionId, targetInfo, waitingForDebugger }: Attached, parent?: string): void {
    const tab = this.#tabs.get(tabId);
    const type = targetInfo.type as PagePart;
    const setups = [...(tab?.setups.values() ?? [])].filter(({ parts }) => parts.includes(type));
    if (tab !== undefined) {
      tab.parts.set(sessionId, { type, parent });
      if (hasParts(type)) void settled([this.#autoAttach(tabId, tab, sessionId)]);
    }
    for (const each of setups) void settled(this.#commands(tabId, each, sessionId));
    if (waitingForDebugger)
      void settled([this.#debugger.send(tabId, 'Runtime.runIfWaitingForDebugger', {}, sessionId)]);
  }

  #commands(tabId: number, { commands }: TabSetup, sessionId?: string): Promise<unknown>[] {
    return commands.map(([method, params]) => this.#debugger.send(tabId, method, params, sessionId));
  }

  #autoAttach(tabId: number, { setups }: Tab, sessionId?: string): Promise<unknown> {
    const all = [...setups.values()];
    const parts = [...new Set(all.flatMap(({ parts }) => parts))];
    const waits = all.some(each => each.startsPaused === true && each.parts.length > 0);
    // Otherwise Chrome pauses parts of every kind, and those that it does not attach to for ever.
    const filter = waits ? [{ exclude: false }] : [...parts.map(type => ({ type, exclude: false })), { exclude: true }];
    const params = { autoAttach: parts.length > 0, waitForDebuggerOnStart: waits, flatten: true, filter };
    return this.#debugger.send(tabId, 'Target.setAutoAttach', params, sessionId);
  }
}

const hasParts = (type: PagePart) => type !== 'service_worker';
const holdersOf = ({ parts }: Tab) =>
  [...parts].flatMap(([sessionId, { type }]) => (hasParts(type) ? [sessionId] : []));

/** Forgets a part and everything in it, about which nothing is reported any more. */
function forget(tab: Tab | undefined, sessionId: string): void {
  if (tab?.parts.delete(sessionId) !== true) return;
  for (const [inner, { parent }] of [...tab.parts]) if (parent === sessionId) forget(tab, inner);
}

/** A part that disappears before it is set up needs nothing any more. */
const settled = (sent: readonly Promise<unknown>[]) => Promise.allSettled(sent);
