import type { Permissions, Role } from '../../protocol/generated/schemas.js';

export type { Permissions, Role };

/** What this viewer may do now. */
export interface Access {
  /** Whether it showed the session's admin token. */
  admin: boolean;
  roles: Role[];
  permissions: Permissions;
}

/** Whether somebody's keys and pointer are let through, as far as its own roles and permissions decide. */
export const mayControl = ({ admin, roles, permissions }: Access): boolean =>
  admin || (roles.includes('control') && permissions.control_disabled !== true);

/** @throws TypeError where it is not a user's ID */
export function checkUserId(userId: unknown): asserts userId is string {
  if (typeof userId !== 'string' || userId === '') throw new TypeError('userId must be the ID of a user');
}

/** @throws TypeError where a list is not made of strings */
export function checkList(name: string, list: unknown): asserts list is string[] {
  const isList = Array.isArray(list) && list.every(item => typeof item === 'string');
  if (!isList) throw new TypeError(`${name} must be an array of strings`);
}
