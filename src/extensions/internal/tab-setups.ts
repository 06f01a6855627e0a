import type { TabSetup, PagePart } from '../../protocol/extension.js';
import type { TabDebugger } from './debugger.js';

/** What Chrome attaches to of a page, or of a part of one. */
interface AutoAttach extends Record<string, unknown> {
  readonly autoAttach: boolean;
  readonly waitForDebuggerOnStart: boolean;
}

interface Holder {
  /** As it was last asked for. */
  autoAttach: AutoAttach | undefined;
}

interface Tab extends Holder {
  /** By the name of its user. */
  readonly setups: Map<string, TabSetup>;
  /** Parts of its page, by session. */
  readonly parts: Map<string, Part>;
  /** What was sent to parts, until they have answered or are gone. */
  readonly pending: Set<Promise<unknown>>;
}

interface Part extends Holder {
  readonly type: PagePart;
  /** Session of the enclosing frame; undefined if that is the page itself. */
  readonly parent: string | undefined;
}

interface Attached {
  readonly sessionId: string;
  readonly targetInfo: { readonly type: string };
  readonly waitingForDebugger: boolean;
}

/** Longest time in milliseconds that a setup waits for parts: those that wait to begin answer only once they run. */
const PARTS_TIMEOUT = 2000;

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
   * Sets up a tab, replacing an earlier setup of the same name. Resolves when its page and the parts that it has are
   * set up: a frame of another site hears of input sooner than of commands. Rejects with Chrome's own text, also if the
   * page does not allow debuggers.
   */
  async setUp(tabId: number, name: string, setup: TabSetup): Promise<void> {
    await Promise.all(this.#commands(tabId, setup));
    const tab = this.#tabs.get(tabId) ?? newTab();
    this.#tabs.set(tabId, tab);
    const before = tab.setups.get(name)?.parts ?? [];
    tab.setups.set(name, setup);
    const isMeant = ([, { type }]: [string, Part]) => before.includes(type) || setup.parts.includes(type);
    for (const [sessionId] of [...tab.parts].filter(isMeant)) sent(tab, this.#commands(tabId, setup, sessionId));
    for (const sessionId of holdersOf(tab)) sent(tab, [this.#autoAttach(tabId, tab, sessionId)]);
    await this.#autoAttach(tabId, tab);
    await answered(tab);
  }

  /** Does not wait for answers between commands: the part answers some of them only once it runs. */
  #attached(tabId: number, { sessionId, targetInfo, waitingForDebugger }: Attached, parent?: string): void {
    const tab = this.#tabs.get(tabId);
    const type = targetInfo.type as PagePart;
    const setups = [...(tab?.setups.values() ?? [])].filter(({ parts }) => parts.includes(type));
    if (tab !== undefined) {
      tab.parts.set(sessionId, { type, parent, autoAttach: undefined });
      if (hasParts(type)) sent(tab, [this.#autoAttach(tabId, tab, sessionId)]);
    }
    for (const each of setups) sent(tab, this.#commands(tabId, each, sessionId));
    if (waitingForDebugger) sent(tab, [this.#debugger.send(tabId, 'Runtime.runIfWaitingForDebugger', {}, sessionId)]);
  }

  #commands(tabId: number, { commands }: TabSetup, sessionId?: string): Promise<unknown>[] {
    return commands.map(([method, params]) => this.#debugger.send(tabId, method, params, sessionId));
  }

  /**
   * Asks only for what changes: asked again, Chrome drops its session with a frame that waits to begin, which then
   * waits forever.
   */
  async #autoAttach(tabId: number, tab: Tab, sessionId?: string): Promise<void> {
    const holder = sessionId === undefined ? tab : tab.parts.get(sessionId);
    const wanted = autoAttachOf(tab);
    const before = holder?.autoAttach;
    if (holder === undefined || JSON.stringify(wanted) === JSON.stringify(before)) return;
    holder.autoAttach = wanted;
    // Turned off, Chrome lets go of what waits, and afterwards reports again what it attaches to: it reported earlier
    // targets once, possibly to the extension before it was suspended as idle.
    const turnsOff = before === undefined ? holder === tab : before.waitForDebuggerOnStart;
    if (turnsOff && wanted.autoAttach) sent(tab, [this.#debugger.send(tabId, AUTO_ATTACH, OFF, sessionId)]);
    try {
      await this.#debugger.send(tabId, AUTO_ATTACH, wanted, sessionId);
    } catch (error) {
      if (holder.autoAttach === wanted) holder.autoAttach = undefined;
      throw error;
    }
  }
}

const AUTO_ATTACH = 'Target.setAutoAttach';
/** Chrome refuses a filter with it. */
const OFF: AutoAttach = { autoAttach: false, waitForDebuggerOnStart: false, flatten: true };

/** What all setups of a tab need together. */
function autoAttachOf({ setups }: Tab): AutoAttach {
  const all = [...setups.values()];
  const parts = [...new Set(all.flatMap(each => each.parts))];
  if (parts.length === 0) return OFF;
  const waits = all.some(each => each.startsPaused === true && each.parts.length > 0);
  // Otherwise Chrome pauses parts of every kind, and those that it does not attach to for ever.
  const filter = waits ? [{ exclude: false }] : [...parts.map(type => ({ type, exclude: false })), { exclude: true }];
  return { autoAttach: true, waitForDebuggerOnStart: waits, flatten: true, filter };
}

const newTab = (): Tab => ({ setups: new Map(), parts: new Map(), pending: new Set(), autoAttach: undefined });

const hasParts = (type: PagePart) => type !== 'service_worker';
const holdersOf = ({ parts }: Tab) =>
  [...parts].flatMap(([sessionId, { type }]) => (hasParts(type) ? [sessionId] : []));

/** Forgets a part and everything in it, about which nothing is reported any more. */
function forget(tab: Tab | undefined, sessionId: string): void {
  if (tab?.parts.delete(sessionId) !== true) return;
  for (const [inner, { parent }] of [...tab.parts]) if (parent === sessionId) forget(tab, inner);
}

/** Remembers what was sent until it is answered. A part that disappears before it is set up needs nothing any more. */
function sent(tab: Tab | undefined, answers: readonly Promise<unknown>[]): void {
  const all: Promise<unknown> = Promise.allSettled(answers).then(() => tab?.pending.delete(all));
  tab?.pending.add(all);
}

/** Resolves when nothing that was sent to a tab's parts is unanswered, or after `PARTS_TIMEOUT`. */
async function answered({ pending }: Tab): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<boolean>(resolve => (timer = setTimeout(() => resolve(true), PARTS_TIMEOUT)));
  while (pending.size > 0 && (await Promise.race([isLate, Promise.all(pending).then(() => false)])) === false);
  clearTimeout(timer);
}
