import type { Access as AccessMessage, Permissions, Role } from '../../protocol/generated/schemas.js';

export type { Permissions, Role };

/** This viewer's rights. */
export interface Access {
  /** Whether it presented the session's admin token. */
  admin: boolean;
  /** The viewer's roles. */
  roles: Role[];
  /** The viewer's permissions. */
  permissions: Permissions;
  /** Whether its keys and pointer reach the session now. */
  control: boolean;
}

/** Reads an access message. */
export function accessOf({ admin, roles, permissions, controls }: AccessMessage): Access {
  const mayControl = admin || (roles.includes('control') && permissions.control_disabled !== true);
  return { admin, roles, permissions, control: controls ?? mayControl };
}

/** @throws TypeError if it is not a user's ID */
export function checkUserId(userId: unknown): asserts userId is string {
  if (typeof userId !== 'string' || userId === '') throw new TypeError('userId must be the ID of a user');
}

/** @throws TypeError if a list does not consist of strings */
export function checkList(name: string, list: unknown): asserts list is string[] {
  const isList = Array.isArray(list) && list.every(item => typeof item === 'string');
  if (!isList) throw new TypeError(`${name} must be an array of strings`);
}
