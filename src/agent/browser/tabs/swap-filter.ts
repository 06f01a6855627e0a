/** A page that took the place of blank tabs. */
export interface Swap {
  readonly opened: number;
  readonly closed: readonly number[];
}

type Offer = (name: string, args: readonly unknown[]) => void;

/** What is told of a tab that was opened in the foreground. */
const OPENING: ReadonlySet<string> = new Set(['tabs.onCreated', 'tabs.onActivated', 'tabs.onHighlighted']);

/**
 * Passes on events of tabs, but not that a page took the place of the blank tab of a prepared browser: clients see a
 * session that began with its page.
 */
export class SwapFilter {
  readonly #pass: Offer;
  #held: Parameters<Offer>[] | undefined;
  #closed: readonly number[] = [];

  constructor(pass: Offer) {
    this.#pass = pass;
  }

  readonly offer: Offer = (name, args) => {
    if (this.#held !== undefined) this.#held.push([name, args]);
    else if (!this.#closed.includes(tabOf(args))) this.#pass(name, args);
  };

  /** Holds events back until it is known which tabs they are of. */
  hold(): void {
    this.#held ??= [];
  }

  /** Passes on what was held back, but for a swap. */
  release(swap?: Swap): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#closed = swap?.closed ?? [];
    for (const [name, args] of held) if (!OPENING.has(name) || tabOf(args) !== swap?.opened) this.offer(name, args);
  }

  /** Forgets what was held back: its browser was discarded. */
  drop(): void {
    this.#held = undefined;
  }
}

/** The tab that an event of `chrome.tabs` is of: its first argument, or named there; NaN if there is none. */
function tabOf([first]: readonly unknown[]): number {
  if (typeof first !== 'object' || first === null) return Number(first);
  const { id, tabId, tabIds } = first as { id?: unknown; tabId?: unknown; tabIds?: readonly unknown[] };
  return Number(id ?? tabId ?? tabIds?.[0]);
}
