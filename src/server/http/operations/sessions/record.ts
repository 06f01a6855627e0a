import type { SessionCreated, SessionRecord } from '../../../../protocol/generated/schemas.js';
import type { SessionSummary } from '../../../model/index.js';

/** Formats a time in milliseconds since 1970. */
export const iso = (time: number): string => new Date(time).toISOString();

/** The public record of a session, without its addresses. */
export function record({ state, profile, createdAt }: SessionSummary, addresses: SessionCreated): SessionRecord {
  const { load, save } = profile;
  const base = {
    ...addresses,
    creation_date: iso(createdAt),
    ...(load === null && save === null ? {} : { profile: { load, save } }),
  };
  if (state.name !== 'ended') return { ...base, termination_date: null };
  return {
    ...base,
    termination_date: iso(state.at),
    termination_reason: state.reason,
    ...(state.message === null ? {} : { termination_message: state.message }),
    ...(state.code === null ? {} : { termination_code: state.code }),
  };
}
