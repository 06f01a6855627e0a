import { json } from '../../table/description.js';
import { call, USER } from './call.js';

const nothing = json('Done.', { type: 'object' }, {});
const LATER =
  'With `true` as third element, the call applies to everybody except those users, including users who join later. Nothing changes if a user is unknown.';

/** Calls that change what users may do. */
export const accessCalls = [
  call({
    method: 'addRoles',
    summary: 'Grant roles to users',
    description: LATER,
    args: 'roles',
    example: [[USER], ['control']],
    answer: nothing,
    errors: ['user_not_found'],
  }),
  call({
    method: 'removeRoles',
    summary: 'Revoke roles from users',
    description: LATER,
    args: 'roles',
    example: [[USER], ['control'], true],
    answer: nothing,
    errors: ['user_not_found'],
  }),
  call({
    method: 'setPermissions',
    summary: "Change a user's permissions",
    args: 'set_permissions',
    example: [USER, { priority: 1 }],
    answer: json("All of the user's permissions.", 'session-calls.json#/$defs/user_permissions', {
      priority: 1,
      idle_timeout: 0,
      control_disabled: false,
      control_exclusive: false,
    }),
    errors: ['user_not_found'],
  }),
];
