import type { LifecycleEventName } from '../../protocol/generated/schemas.js';
import { ConfigError, list, text, type Environment } from './environment.js';

/** The names of the events of a session's life. */
export const EVENT_NAMES = [
  'started',
  'running',
  'user_joined',
  'user_left',
  'control_changed',
  'crashed',
  'ended',
  'profile_saved',
] as const satisfies readonly LifecycleEventName[];

/** Where the events of sessions go whose start requests do not say; signed with the service's own secret. */
export interface EventsConfig {
  url: string;
  bearer: string | null;
  /** null: all. */
  names: readonly LifecycleEventName[] | null;
}

/** A value of a header: visible Latin-1 characters, with spaces and tabs between them. */
const BEARER = /^[\x21-\x7e\x80-\xff]([\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** The service's own receiver of events; null: there is none. */
export function events(env: Environment): Readonly<EventsConfig> | null {
  const [url, bearer] = [text(env, 'BERTH_EVENTS_URL'), text(env, 'BERTH_EVENTS_BEARER')];
  const given = list(env, 'BERTH_EVENTS');
  if (url === undefined) {
    const stray = bearer === undefined ? (given === undefined ? null : 'BERTH_EVENTS') : 'BERTH_EVENTS_BEARER';
    if (stray !== null) throw new ConfigError(`${stray} needs BERTH_EVENTS_URL.`);
    return null;
  }
  if (!isPlain(url)) {
    throw new ConfigError(
      'BERTH_EVENTS_URL must be an http or https address without a user, of at most 2048 characters.',
    );
  }
  if (bearer !== undefined && !BEARER.test(bearer))
    throw new ConfigError('BERTH_EVENTS_BEARER must be what a header may contain: visible Latin-1 characters.');
  const unknown = given?.find(name => !EVENT_NAMES.some(each => each === name));
  if (unknown !== undefined)
    throw new ConfigError(`BERTH_EVENTS must hold names of ${EVENT_NAMES.join(', ')}, but holds "${unknown}".`);
  const names = given === undefined ? null : Object.freeze(EVENT_NAMES.filter(name => given.includes(name)));
  return Object.freeze({ url, bearer: bearer ?? null, names });
}

function isPlain(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && value.length <= 2048 && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}
