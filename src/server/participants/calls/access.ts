import type { RolesArguments, SetPermissionsArguments } from '../../../protocol/generated/schemas.js';
import { sessionCall, type Need, type SessionCall } from './call.js';

const needs: Need = {
  test: access => access.admin,
  code: 'admin_required',
  message: 'This is for holders of the admin token.',
};

const changeRoles = (change: 'add' | 'remove') =>
  sessionCall<RolesArguments>({
    schema: 'session-calls.json#/$defs/roles',
    needs,
    run: async ({ users }, [userIds, roles, exclusive = false]) => {
      await users.changeRoles(change, userIds, roles, exclusive);
      return {};
    },
  });

/** Calls that change what users may do. */
export const accessCalls: [method: string, call: SessionCall][] = [
  ['addRoles', changeRoles('add')],
  ['removeRoles', changeRoles('remove')],
  [
    'setPermissions',
    sessionCall<SetPermissionsArguments>({
      schema: 'session-calls.json#/$defs/set_permissions',
      needs,
      run: ({ users }, [userId, permissions]) => users.setPermissions(userId, permissions),
    }),
  ],
];
