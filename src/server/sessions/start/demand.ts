import type { Launch } from '../../../protocol/generated/schemas.js';
import { commonPreparation, isAlike, ownPreparation, type Preparation } from '../../../protocol/preparation.js';
import { kindOf, type KindName } from '../../model/index.js';
import { clock } from '../../lib/clock.js';

/** How long containers of a kind are kept warm after one was started, where they are not always, milliseconds. */
const KEPT_MS = 3_600_000;

/** So many starts alike decide what containers that wait already must have. */
const ALIKE = 2;

/** What the latest sessions were started with: the next will probably be like them. */
export class Demand {
  readonly #prepares: boolean;
  readonly #startedAt = new Map<KindName, number>();
  #latest: Preparation | null;
  #alike = 0;

  /** `prepares`: whether browsers are prepared at all; `timezone`: of sessions that ask for none; null: UTC. */
  constructor(prepares: boolean, timezone: string | null) {
    this.#prepares = prepares;
    this.#latest = commonPreparation(timezone);
  }

  /** A session is started. */
  started(launch: Launch): void {
    this.#startedAt.set(launch.kind, clock.now());
    if (!kindOf(launch.kind).prepares) return;
    const own = ownPreparation(launch);
    this.#alike = isAlike(own, this.#latest) ? this.#alike + 1 : 1;
    this.#latest = own;
  }

  /** Whether containers of a kind should wait. */
  isWanted(kind: KindName): boolean {
    const { warmPool } = kindOf(kind);
    if (warmPool !== 'after use') return warmPool === 'always';
    return clock.now() - (this.#startedAt.get(kind) ?? -Infinity) < KEPT_MS;
  }

  /** What a new container of a kind starts while it waits; null: nothing. */
  preparation(kind: KindName): Preparation | null {
    return this.#prepares && kindOf(kind).prepares ? this.#latest : null;
  }

  /** Whether a container that waits should make room for one that suits the latest sessions. */
  isOutdated(kind: KindName, preparation: Preparation | null): boolean {
    return this.#alike >= ALIKE && !isAlike(preparation, this.preparation(kind));
  }
}
