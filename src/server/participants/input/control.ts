import { type Access, mayControl } from '../../model/index.js';

/** Somebody who might control a session. */
export interface Contender {
  readonly access: Access;
  /** When it last gave input, ms of any monotonic clock; null: never. */
  readonly inputAt: number | null;
}

/** Who controls, and when that must be decided anew if nothing happens before; null: never. */
export interface Decision<T> {
  controllers: ReadonlySet<T>;
  until: number | null;
}

/**
 * Decides who controls at `now`. While somebody has `control_exclusive`, only those who have it; among them, nobody
 * with a lower priority than somebody who is not idle. An idle timeout of 0 never passes. Admins always control.
 */
export function decideControl<T extends Contender>(contenders: Iterable<T>, now: number): Decision<T> {
  const able = [...contenders].filter(({ access }) => mayControl(access));
  const exclusive = able.filter(({ access }) => access.permissions.control_exclusive);
  const pool = exclusive.length > 0 ? exclusive : able;
  let floor = -Infinity;
  let until: number | null = null;
  for (const contender of pool) {
    const end = preemptsUntil(contender);
    if (end === null || end <= now) continue;
    floor = Math.max(floor, contender.access.permissions.priority);
    if (end < (until ?? Infinity)) until = end;
  }
  const isAbove = ({ access }: T) => access.permissions.priority >= floor;
  return {
    controllers: new Set([...pool.filter(isAbove), ...able.filter(({ access }) => access.admin)]),
    until,
  };
}

/** Until when a contender pre-empts lower priorities; null: it does not. */
export function preemptsUntil({ access, inputAt }: Contender): number | null {
  const { idle_timeout: idleTimeout } = access.permissions;
  if (idleTimeout === 0) return Infinity;
  return inputAt === null ? null : inputAt + idleTimeout;
}
