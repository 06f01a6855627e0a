import type { LifecycleEvent } from '../../protocol/generated/schemas.js';
import type { Ending, EventReceiver, Session } from './session.js';

/** An event of a session, as integrators get it, and who gets it. */
export interface SessionEvent {
  /** Its `id` is the same whoever makes it, as often as they do, since what happens once is told as one event. */
  readonly body: LifecycleEvent;
  /** When it happened, UTC milliseconds. */
  readonly at: number;
  /** null: it is in the feed only. */
  readonly to: EventReceiver | null;
}

type Of = Pick<Session, 'id' | 'tenantId' | 'events'>;
type Name = LifecycleEvent['event'];
type Common = 'id' | 'event' | 'session_id' | 'tenant_id' | 'date';
type More<N extends Name> = Omit<Extract<LifecycleEvent, { event: N }>, Common>;

/** A user who has joined: `admin`, with the admin token. */
type Joined = { id: string } & Omit<More<'user_joined'>, 'user_id'>;

/** IDs in an event that control has changed. */
const CONTROLLERS_MAX = 100;

/** The ID of an event that a session has once, or once for each `of`. */
export const idOf = (sessionId: string, name: Name, of?: string): string =>
  [sessionId, name, ...(of === undefined ? [] : [of])].join('-');

function make<N extends Name>({ id, tenantId, events }: Of, event: N, at: number, more: More<N>, of?: string) {
  const common = { event, session_id: id, tenant_id: tenantId, date: new Date(at).toISOString() };
  const body = { id: idOf(id, event, of), ...common, ...more } as unknown as LifecycleEvent;
  const to = events !== null && (events.names?.includes(event) ?? true) ? events : null;
  return { body, at, to } satisfies SessionEvent;
}

/** The session was accepted. */
export function started(session: Session): SessionEvent {
  const { launch, region, tag, metadata } = session;
  return make(session, 'started', session.createdAt, { kind: launch.kind, region, tag, metadata });
}

/** It runs. */
export const running = (session: Of, at: number): SessionEvent => make(session, 'running', at, {});

export const userJoined = (session: Of, { id, ...user }: Joined, at: number): SessionEvent =>
  make(session, 'user_joined', at, { user_id: id, ...user }, id);

export const userLeft = (session: Of, userId: string, at: number): SessionEvent =>
  make(session, 'user_left', at, { user_id: userId }, userId);

/** `change`: tells this change from all others. */
export const controlChanged = (
  session: Of,
  controllers: readonly string[],
  change: string,
  at: number,
): SessionEvent => {
  const more = { controllers: controllers.slice(0, CONTROLLERS_MAX), count: controllers.length };
  return make(session, 'control_changed', at, more, change);
};

/** It has ended at `at`: what tells that, in this order. */
export function ended(session: Of, { reason, message, code }: Ending, at: number): SessionEvent[] {
  const why = { ...(message === undefined ? {} : { message }), ...(code === undefined ? {} : { code }) };
  const end = make(session, 'ended', at, { reason, ...why });
  return reason === 'crashed' ? [make(session, 'crashed', at, why), end] : [end];
}

/** Its profile is saved. */
export const profileSaved = (session: Of, profileId: string, at: number): SessionEvent =>
  make(session, 'profile_saved', at, { profile_id: profileId });
