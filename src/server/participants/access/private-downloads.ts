import type { Users } from './users.js';

/** Downloads that are remembered. */
const DOWNLOADS_MAX = 1000;

/**
 * Which downloads came while one user had the session in private: they are nobody else's, also later and after restarts
 * of the service.
 */
export class PrivateDownloads {
  readonly #users: Users;
  readonly #now: () => number | null;
  /** The number of the time in private in which each came, 0: in public; by its ID. */
  readonly #times: Map<string, number>;

  /** `now`: the number of the time in private that it is, null in public. */
  constructor(users: Users, now: () => number | null) {
    this.#users = users;
    this.#now = now;
    this.#times = new Map(users.defaults.downloads);
  }

  /** The number of the newest time in private from which there is one. */
  get newest(): number {
    return Math.max(0, ...this.#times.values());
  }

  /** To be stored when a time in private begins: the agent repeats those of before, too, on a new link. */
  get all(): [id: string, time: number][] {
    return [...this.#times];
  }

  /** Whether a download came in another time in private than it is. */
  withholds(id: string): boolean {
    const time = this.#times.get(id) ?? 0;
    return time !== 0 && time !== this.#now();
  }

  /** Notes a download, unless it is known. */
  came(id: string): void {
    if (this.#times.has(id)) return;
    const now = this.#now();
    this.#times.set(id, now ?? 0);
    if (this.#times.size > DOWNLOADS_MAX) this.#forgetOne();
    // If storing fails, it is withheld until the service's next start.
    if (now !== null) this.#users.changeDefaults(before => ({ ...before, downloads: this.all })).catch(() => undefined);
  }

  /** The oldest one that came in public: what is forgotten is everybody's. */
  #forgetOne(): void {
    const ids = [...this.#times.keys()];
    const id = ids.find(each => this.#times.get(each) === 0) ?? ids[0];
    if (id !== undefined) this.#times.delete(id);
  }
}
