import type { Launch, Region, Role, TerminationCode } from '../../protocol/generated/schemas.js';
import type {
  Announced,
  EndReason,
  KindName,
  Metadata,
  Session,
  SessionState,
  SessionSummary,
  Size,
  TimeoutType,
} from '../model/index.js';
import type { RowSecrets, SecretColumns } from './row-secrets.js';

/** A row of the table `sessions`; times are UTC milliseconds. */
export interface SessionRow extends SecretColumns {
  id: string;
  kind: string;
  state: string;
  region: string;
  tag: string | null;
  tenant_id: string | null;
  /** JSON; null in rows of older versions, as are the next three. */
  metadata: string | null;
  viewers: number | null;
  width: number | null;
  height: number | null;
  defaults: string;
  created_at: number;
  /** Null: created_at. */
  counted_from: number | null;
  ready_at: number | null;
  seen_at: number | null;
  ended_at: number | null;
  end_reason: string | null;
  end_message: string | null;
  end_code: string | null;
  absolute_ms: number | null;
  inactive_ms: number | null;
  offline_ms: number | null;
  warning_ms: number | null;
  claim_by: number | null;
  input_at: number;
  offline_at: number | null;
  warned_type: string | null;
  warned_at: number | null;
  /** JSON; null in rows of older versions: the deadline that was warned of. */
  announced: string | null;
  due_at: number | null;
  profile_load: string | null;
  profile_save: string | null;
  /** Since when an ended session's profile has been waiting to be saved. */
  profile_pending: number | null;
  owner: string;
  lease_until: number;
}

/** The row of a new session. */
export function toRow(session: Session, secrets: RowSecrets): Omit<SessionRow, 'owner' | 'lease_until'> {
  return {
    kind: session.launch.kind,
    state: session.state.type,
    region: session.region,
    tag: session.tag,
    tenant_id: session.tenantId,
    metadata: JSON.stringify(session.metadata),
    viewers: session.viewers,
    width: session.size.width,
    height: session.size.height,
    ...secrets.encrypt(session),
    defaults: JSON.stringify(session.defaults),
    created_at: session.createdAt,
    counted_from: session.countedFrom,
    ready_at: session.readyAt,
    seen_at: session.seenAt,
    ...stateColumns(session.state),
    absolute_ms: session.timeouts.absolute,
    inactive_ms: session.timeouts.inactive,
    offline_ms: session.timeouts.offline,
    warning_ms: session.timeouts.warning,
    claim_by: session.claimBy,
    input_at: session.inputAt,
    offline_at: session.offlineAt,
    warned_type: session.warned?.type ?? null,
    warned_at: session.warned?.deadline ?? null,
    announced: JSON.stringify(session.announced),
    due_at: null,
    profile_load: session.profile.load,
    profile_save: session.profile.save,
    profile_pending: session.profile.pending,
  };
}

/** The columns of a summary. */
export const SUMMARY_COLUMNS = [
  ...(['id', 'kind', 'state', 'created_at', 'ready_at', 'ended_at', 'end_reason', 'end_message', 'end_code'] as const),
  ...([
    'region',
    'tag',
    'tenant_id',
    'metadata',
    'viewers',
    'width',
    'height',
    'launch',
    'tokens',
    'claim_by',
  ] as const),
  ...(['counted_from', 'input_at', 'offline_at', 'absolute_ms', 'inactive_ms', 'offline_ms', 'warning_ms'] as const),
  ...(['profile_load', 'profile_save', 'profile_pending'] as const),
];

export type SummaryRow = Pick<SessionRow, (typeof SUMMARY_COLUMNS)[number]>;

/** The summary that a row contains; nothing is decrypted for it. */
export function summaryOf(row: SummaryRow, secrets: RowSecrets): SessionSummary {
  return { ...commonOf(row, secrets), kind: row.kind as KindName };
}

/** What summaries and sessions have in common. */
function commonOf(row: SummaryRow, secrets: RowSecrets): Omit<SessionSummary, 'kind'> {
  return {
    id: row.id,
    state: stateOf(row),
    createdAt: row.created_at,
    readyAt: row.ready_at,
    tokens: secrets.tokens(row),
    claimBy: row.claim_by,
    profile: { load: row.profile_load, save: row.profile_save, pending: row.profile_pending },
    region: row.region as Region,
    tag: row.tag,
    tenantId: row.tenant_id,
    metadata: row.metadata === null ? {} : (JSON.parse(row.metadata) as Metadata),
    viewers: row.viewers ?? 0,
    size: sizeOf(row),
    countedFrom: row.counted_from ?? row.created_at,
    inputAt: row.input_at,
    offlineAt: row.offline_at,
    timeouts: {
      absolute: row.absolute_ms,
      inactive: row.inactive_ms,
      offline: row.offline_ms,
      warning: row.warning_ms,
    },
  };
}

/** Rows of older versions have the size that their displays started with. */
function sizeOf({ width, height, launch }: SummaryRow): Size {
  if (width !== null && height !== null) return { width, height };
  const { display } = JSON.parse(launch) as Launch;
  return { width: display.width, height: display.height };
}

/** The session that a row describes. */
export function fromRow(row: SessionRow, secrets: RowSecrets): Session {
  const warned =
    row.warned_type === null || row.warned_at === null
      ? null
      : { type: row.warned_type as TimeoutType, deadline: row.warned_at };
  return {
    ...commonOf(row, secrets),
    ...secrets.decrypt(row),
    defaults: JSON.parse(row.defaults) as { roles: Role[]; control_disabled: boolean },
    seenAt: row.seen_at,
    warned,
    announced: row.announced === null ? announcedBy(warned) : (JSON.parse(row.announced) as Announced),
  };
}

const announcedBy = (warned: Session['warned']): Announced =>
  warned === null ? {} : { [warned.type]: warned.deadline };

function stateColumns(state: SessionState) {
  return state.type === 'ended'
    ? { ended_at: state.at, end_reason: state.reason, end_message: state.message, end_code: state.code }
    : { ended_at: null, end_reason: null, end_message: null, end_code: null };
}

function stateOf(row: Pick<SessionRow, 'state' | 'ended_at' | `end_${'reason' | 'message' | 'code'}`>): SessionState {
  if (row.ended_at === null) return { type: row.state as 'starting' | 'running' };
  return {
    type: 'ended',
    at: row.ended_at,
    reason: (row.end_reason ?? 'failed') as EndReason,
    message: row.end_message,
    code: row.end_code as TerminationCode | null,
  };
}
