import type {
  Access as AccessMessage,
  ParticipantCheckAnswer,
  Permissions,
  Role,
} from '../../protocol/generated/schemas.js';
import type { AccessDefaults, Credential } from './participation.js';

/** The rights of one viewer. */
export interface Access {
  readonly admin: boolean;
  /** Whether somebody else has the session in private: whatever else it has, it sees, hears and does nothing then. */
  readonly hidden: boolean;
  readonly roles: readonly Role[];
  readonly permissions: Required<Permissions>;
}

/** Roles of a viewer unless the session's start says otherwise. */
export const DEFAULT_ROLES: readonly Role[] = ['chrome_apis', 'resize', 'control'];

const PERMISSIONS: Required<Permissions> = {
  priority: 0,
  idle_timeout: 0,
  control_disabled: false,
  control_exclusive: false,
};

/** Rights of callers with the admin token or an API key. */
export const ADMINISTRATOR: Access = { admin: true, hidden: false, roles: [], permissions: PERMISSIONS };

/** Rights of a viewer when it joins with a token. */
export function initialAccess(defaults: AccessDefaults, credential: Credential): Access {
  return {
    admin: credential === 'admin',
    hidden: false,
    roles: defaults.roles,
    permissions: { ...PERMISSIONS, control_disabled: defaults.control_disabled },
  };
}

/** A viewer's access according to a webhook's answer. */
export function grantedAccess(
  access: Access,
  { roles, permissions }: Omit<ParticipantCheckAnswer, 'authorized'>,
): Access {
  return {
    ...access,
    roles: roles === undefined ? access.roles : [...new Set(roles)],
    permissions: { ...access.permissions, ...permissions },
  };
}

const holds = (access: Access, role: Role) => access.admin || access.roles.includes(role);

const has = (access: Access, role: Role) => holds(access, role) && !access.hidden;

/** Whether the viewer sees and hears the session. */
export function maySee(access: Access): boolean {
  return !access.hidden;
}

const isDisabled = ({ admin, permissions }: Access) => !admin && permissions.control_disabled;

/** Whether the viewer's keys, pointer and pasted text reach the session. */
export function mayControl(access: Access): boolean {
  return has(access, 'control') && !isDisabled(access);
}

export function mayResize(access: Access): boolean {
  return has(access, 'resize') && !isDisabled(access);
}

/** Whether the viewer receives what is copied in the session. */
export function mayCopy(access: Access): boolean {
  return has(access, 'clipboard_copy');
}

/** Whether the viewer may inspect the browser's tabs and receives their events. */
export function mayReadTabs(access: Access): boolean {
  return has(access, 'chrome_apis');
}

/** Whether the viewer may change the browser's tabs. */
export function mayChangeTabs(access: Access): boolean {
  return has(access, 'chrome_apis') && !isDisabled(access);
}

/** Whether the viewer sees others' pointers. */
export function maySeePointers(access: Access): boolean {
  return has(access, 'cursor_data');
}

/** Whether the viewer sees who is in the session. */
export function maySeeUsers(access: Access): boolean {
  return holds(access, 'user_list');
}

/** Whether files of the viewer reach the session. */
export function mayUpload(access: Access): boolean {
  return has(access, 'file_upload') && mayControl(access);
}

/** Whether the viewer is offered files that were downloaded in the session. */
export function mayDownload(access: Access): boolean {
  return has(access, 'file_download');
}

/** The message that tells a viewer its access; `controls`: whether its input counts now. */
export function accessMessage({ admin, roles, permissions }: Access, controls: boolean): AccessMessage {
  return { type: 'access', admin, controls, roles: [...roles], permissions };
}

/** A viewer that may be able to control a session. */
export interface Contender {
  readonly access: Access;
  /** When it last gave input, ms of any monotonic clock; null: never. */
  readonly inputAt: number | null;
}

/** Who has control, and when to decide again if nothing happens before; null: never. */
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
