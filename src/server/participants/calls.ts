import {
  type AgentCallName,
  type AnsweredByService,
  type CallArguments,
  type CallDeclaration,
  type CallName,
  type CallResult,
  CALLS,
  DONE,
  isCallName,
} from '../../protocol/calls.js';
import { type Problem, type Result, validator } from '../../protocol/validation.js';
import { type Access, CallError, errorTable, type KindName, maySee, NEEDS, requireCapability } from '../model/index.js';
import type { Privacy } from './access/privacy.js';
import type { Users } from './access/users.js';
import type { Players } from './players/players.js';
import type { Viewer } from './viewer/viewer.js';

/** The context of a call: one session. */
export interface CallContext {
  /** Kind of the session. */
  readonly kind: KindName;
  readonly users: Users;
  readonly privacy: Privacy;
  /** Who plays; null if the session is not a console. */
  readonly players: Players | null;
  /** The caller, if it is a viewer. */
  readonly viewer: Viewer | undefined;
  /** Records activity of a viewer; whether it has control now. */
  takesPart(viewer: Viewer): boolean;
  /** Makes a call to the session's agent, which may answer anything. @throws CallError */
  agent<M extends AgentCallName>(method: M, args: CallArguments<M>): Promise<unknown>;
}

/** Answers the calls that are not the agent's. */
const HANDLERS: {
  readonly [M in AnsweredByService]: (
    context: CallContext,
    args: CallArguments<M>,
  ) => CallResult<M> | Promise<CallResult<M>>;
} = {
  addRoles: async ({ users }, [userIds, roles, exclusive = false]) => {
    await users.changeRoles('add', userIds, roles, exclusive);
    return {};
  },
  removeRoles: async ({ users }, [userIds, roles, exclusive = false]) => {
    await users.changeRoles('remove', userIds, roles, exclusive);
    return {};
  },
  setPermissions: ({ users }, [userId, permissions]) => users.setPermissions(userId, permissions),
  disconnectUser: ({ users }, [userId]) => {
    users.kick(userId);
    return {};
  },
  enablePrivacyMode: async ({ privacy }, [userId]) => {
    await privacy.enable(userId);
    return {};
  },
  disablePrivacyMode: async ({ privacy }) => {
    await privacy.disable();
    return {};
  },
  seats: (context, [player, userId]) => playersOf(context).assign(player, userId).seats,
  takeSeat: (context, [player]) => playersOf(context).take(viewerOf(context), player).seats,
  leaveSeat: (context, [player]) => playersOf(context).leave(viewerOf(context), player).seats,
};

const VALIDATORS = Object.fromEntries(
  Object.entries<CallDeclaration>(CALLS).map(([name, { args }]) => [
    name,
    validator(`session-calls.json#/$defs/${args}`),
  ]),
) as Record<CallName, (args: unknown) => Result<CallArguments<CallName>>>;

/** Checks the caller and the arguments of a call of a viewer or integrator, and carries it out. @throws CallError */
export async function carryOut(method: string, args: unknown, access: Access, context: CallContext): Promise<unknown> {
  if (!isCallName(method)) throw new CallError('unknown_method', `There is no call ${method}.`);
  const { needs, session, control, result }: CallDeclaration = CALLS[method];
  if (needs !== 'admin' && !maySee(access)) throw new CallError('privacy_mode', errorTable.privacy_mode[1]);
  const need = NEEDS[needs];
  if (!need.test(access)) throw new CallError(need.code, need.message);
  const valid = VALIDATORS[method](args);
  if (!valid.ok) throw new CallError('invalid_arguments', describe(valid.problems), valid.problems);
  if (session !== null) requireCapability(context.kind, session);
  if (control) requireControl(context);
  if (isAnsweredHere(method)) return HANDLERS[method](context, valid.value as never);
  const value = await context.agent(method, valid.value);
  return result === DONE ? (value ?? {}) : value;
}

const isAnsweredHere = (method: CallName): method is AnsweredByService => Object.hasOwn(HANDLERS, method);

/** Integrators always have control. @throws CallError if the caller is a viewer without */
function requireControl({ viewer, takesPart }: CallContext): void {
  if (viewer !== undefined && !takesPart(viewer))
    throw new CallError('control_taken', 'Somebody else controls the session now.');
}

/** Who plays: the session is a console, by the declarations of the calls that ask. */
function playersOf({ players }: CallContext): Players {
  if (players === null) throw new Error('Nobody can play here.');
  return players;
}

/** @throws CallError if the caller is not a viewer, who could take a seat */
function viewerOf({ viewer }: CallContext): Viewer {
  if (viewer === undefined)
    throw new CallError('unknown_method', 'Seats are taken by viewers; assign them with seats.');
  return viewer;
}

function describe(problems: readonly Problem[]): string {
  const [first] = problems;
  return first === undefined ? 'The arguments are not valid.' : `${first.path || 'The arguments'} ${first.message}.`;
}
