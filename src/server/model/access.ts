import type {
  Access as AccessMessage,
  ParticipantCheckAnswer,
  Permissions,
  Role,
} from '../../protocol/generated/schemas.js';
import type { AccessDefaults, Credential } from './participation.js';

/** What one viewer may do. */
export interface Access {
  readonly admin: boolean;
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
export const ADMINISTRATOR: Access = { admin: true, roles: [], permissions: PERMISSIONS };

/** Rights of a viewer when it joins with a token. */
export function initialAccess(defaults: AccessDefaults, credential: Credential): Access {
  return {
    admin: credential === 'admin',
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

const has = (access: Access, role: Role) => access.admin || access.roles.includes(role);

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

/** Whether files of the viewer reach the session. */
export function mayUpload(access: Access): boolean {
  return has(access, 'file_upload') && mayControl(access);
}

/** Whether the viewer is offered files that were downloaded in the session. */
export function mayDownload(access: Access): boolean {
  return has(access, 'file_download');
}

/** What a viewer is told about its access; `controls`: whether its input counts now. */
export function accessMessage({ admin, roles, permissions }: Access, controls: boolean): AccessMessage {
  return { type: 'access', admin, controls, roles: [...roles], permissions };
}
