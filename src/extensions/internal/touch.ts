import type { TouchPhase } from '../../protocol/touch.js';
import { activeTab, isOnPage, type ActiveTab, type Place } from './active.js';
import type { TabDebugger } from './debugger.js';

/** A touch in pixels of the display. */
interface Finger {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

interface Touch {
  readonly phase: TouchPhase;
  fingers: readonly Finger[];
}

const PROTOCOL_TYPES = { start: 'touchStart', move: 'touchMove', end: 'touchEnd', cancel: 'touchCancel' } as const;

/** Touches on the display, dispatched to the page on which they started. */
export class TouchScreen {
  readonly #debugger: TabDebugger;
  readonly #waiting: Touch[] = [];
  /** Tabs that a pinch may have zoomed. */
  readonly #pinched = new Set<number>();
  #target: ActiveTab | undefined;
  #fingers: readonly Finger[] = [];
  /** Resolves when nothing is queued any more. */
  #work: Promise<void> | undefined;

  constructor(tabDebugger: TabDebugger) {
    this.#debugger = tabDebugger;
    chrome.tabs.onUpdated.addListener((tabId, { status }) => {
      // Chrome keeps the zoom across reloads: reset it with the old page, and in case the new one has it.
      if (status === undefined || !this.#pinched.has(tabId)) return;
      if (status === 'complete') this.#pinched.delete(tabId);
      void this.#reset(tabId);
    });
    chrome.tabs.onRemoved.addListener(tabId => this.#pinched.delete(tabId));
  }

  /** Whether a page that takes touches is at a place, and has the focus: not one of Chromium's own. */
  async isPage(place: Place): Promise<boolean> {
    const tab = await activeTab();
    if (tab === undefined || !isOnPage(tab, place)) return false;
    return this.#debugger.attach(tab.tabId).then(
      () => true,
      () => false,
    );
  }

  /** Dispatches a change; of queued moves, only the latest. */
  touch(phase: TouchPhase, fingers: readonly Finger[]): void {
    const last = this.#waiting.at(-1);
    if (phase === 'move' && last?.phase === 'move') last.fingers = fingers;
    else this.#waiting.push({ phase, fingers });
    this.#work ??= this.#carryOut();
  }

  /** Resets the zoom of pinches. */
  async reset(): Promise<void> {
    await this.#work;
    const tabs = [...this.#pinched];
    this.#pinched.clear();
    await Promise.all(tabs.map(tabId => this.#reset(tabId)));
  }

  async #carryOut(): Promise<void> {
    for (let touch = this.#waiting.shift(); touch !== undefined; touch = this.#waiting.shift()) {
      // Chromium's own pages do not accept touches.
      await this.#send(touch).catch(() => undefined);
    }
    this.#work = undefined;
  }

  async #send({ phase, fingers }: Touch): Promise<void> {
    if (phase === 'start') this.#target ??= await activeTab();
    const target = this.#target;
    if (target === undefined) return;
    const before = this.#fingers;
    this.#fingers = fingers;
    if (fingers.length === 0) this.#target = undefined;
    if (fingers.length > 1) this.#pinched.add(target.tabId);
    // The protocol requires the touches that changed.
    const others =
      (all: readonly Finger[]) =>
      ({ id }: Finger) =>
        !all.some(finger => finger.id === id);
    const changed = {
      start: fingers.filter(others(before)),
      move: fingers,
      end: before.filter(others(fingers)),
      cancel: [],
    };
    const touchPoints = changed[phase].map(({ id, x, y }) => ({ id, x: x - target.left, y: y - target.top }));
    const type = PROTOCOL_TYPES[phase];
    await this.#debugger.send(target.tabId, 'Input.dispatchTouchEvent', { type, touchPoints });
  }

  async #reset(tabId: number): Promise<void> {
    await this.#debugger.send(tabId, 'Emulation.setPageScaleFactor', { pageScaleFactor: 1 }).catch(() => undefined);
  }
}
