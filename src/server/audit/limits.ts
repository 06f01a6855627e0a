import { addressKey } from '../lib/address-key.js';
import { type Counted, LineBudget, type LineLimits } from '../lib/line-budget.js';
import type { AuditEvent } from './events.js';

/**
 * Actors by the credential that they presented. Each class has limits of its own, so that a flood from one leaves those
 * of the others alone. Actions of the service and of callers with an API key are always recorded.
 */
type Kind = 'admin' | 'viewer' | 'stranger';

const LIMITS: Readonly<Record<Kind, LineLimits>> = {
  admin: { perKey: 60, perAddress: 600, total: 6000 },
  viewer: { perKey: 60, perAddress: 600, total: 6000 },
  stranger: { perKey: 60, perAddress: 60, total: 600 },
};

/** Fields of an event that distinguish it from others of its kind. */
const KIND_FIELDS = ['event', 'call', 'result', 'code', 'session', 'actor', 'ip'] as const;

/** Records events, those beyond the limits as one line a minute with their number as `count`. */
export class LimitedEvents {
  readonly #record: (event: AuditEvent) => void;
  readonly #budgets: Readonly<Record<Kind, LineBudget<AuditEvent>>>;

  constructor(record: (event: AuditEvent) => void) {
    this.#record = record;
    const budget = (kind: Kind) =>
      new LineBudget<AuditEvent>(LIMITS[kind], counted => record(countedEvent(kind, counted)));
    this.#budgets = { admin: budget('admin'), viewer: budget('viewer'), stranger: budget('stranger') };
  }

  record(event: AuditEvent): void {
    const kind = kindOf(event);
    if (kind === null || this.#budgets[kind].admit(addressKey(event.ip ?? ''), keyOf(event), event))
      this.#record(event);
  }

  /** Records what was only counted so far. */
  flush(): void {
    for (const budget of Object.values(this.#budgets)) budget.flush();
  }
}

function kindOf({ actor }: AuditEvent): Kind | null {
  switch (actor.type) {
    case 'api_key':
    case 'service':
      return null;
    case 'admin_token':
      return 'admin';
    case 'user':
      return actor.admin ? 'admin' : 'viewer';
    case 'embed_token':
      return 'viewer';
    case 'unknown':
    case 'none':
      return 'stranger';
  }
}

/** Strangers' events are distinguished by event and result only: they choose everything else. */
function keyOf({ event, result, code, call, session, actor }: AuditEvent): string {
  const kind = `${event} ${result} ${code ?? ''}`;
  if (actor.type === 'unknown' || actor.type === 'none') return kind;
  return `${kind} ${typeof call === 'string' ? call : ''} ${session ?? ''} ${actor.type === 'user' ? actor.user_id : actor.type}`;
}

function countedEvent(kind: Kind, { sample, address, count, since }: Counted<AuditEvent>): AuditEvent {
  const more = { count, since };
  if (sample !== null)
    return { ...(Object.fromEntries(KIND_FIELDS.map(name => [name, sample[name]])) as AuditEvent), ...more };
  return {
    event: 'audit.omitted',
    result: 'refused',
    actor: { type: kind === 'stranger' ? 'unknown' : kind === 'admin' ? 'admin_token' : 'embed_token' },
    ...(address === null ? {} : { ip: address }),
    ...more,
  };
}
