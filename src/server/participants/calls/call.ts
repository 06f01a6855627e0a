import { validator, type Problem } from '../../../protocol/validation.js';
import { type Access, CallError, type KindName } from '../../model/index.js';
import type { Players } from '../players/players.js';
import type { Users } from '../access/users.js';
import type { Viewer } from '../viewer/viewer.js';

/** The context of a call: one session. */
export interface CallContext {
  /** Kind of the session. */
  readonly kind: KindName;
  readonly users: Users;
  /** Who plays; null if the session is not a console. */
  readonly play: Players | null;
  /** The caller, if it is a viewer. */
  readonly viewer: Viewer | undefined;
  /** Records activity of a viewer; whether it has control now. */
  takesPart(viewer: Viewer): boolean;
  /** Makes a call to the session's agent. @throws CallError */
  agent(method: string, args: readonly unknown[]): Promise<unknown>;
}

/** Who may make a call, and the error that others get. */
export interface Need {
  test(access: Access): boolean;
  code: 'admin_required' | 'role_required';
  message: string;
}

/** A call of viewers and integrators. */
export interface SessionCall {
  /** Checks the caller and the arguments, and carries out the call. @throws CallError */
  carryOut(context: CallContext, access: Access, args: unknown): Promise<unknown>;
}

/**
 * Only who has control now may change anything; integrators always do.
 * @throws CallError
 */
export function requireControl({ viewer, takesPart }: Pick<CallContext, 'viewer' | 'takesPart'>): void {
  if (viewer !== undefined && !takesPart(viewer))
    throw new CallError('control_taken', 'Somebody else controls the session now.');
}

interface Definition<T extends unknown[]> {
  /** Schema of the arguments. */
  schema: string;
  needs: Need;
  run(context: CallContext, args: T): unknown;
}

/** Makes a call from its definition. */
export function sessionCall<T extends unknown[]>({ schema, needs, run }: Definition<T>): SessionCall {
  const validate = validator<T>(schema);
  return {
    async carryOut(context, access, args) {
      if (!needs.test(access)) throw new CallError(needs.code, needs.message);
      const result = validate(args);
      if (!result.ok) throw new CallError('invalid_arguments', describe(result.problems), result.problems);
      return run(context, result.value);
    },
  };
}

function describe(problems: readonly Problem[]): string {
  const [first] = problems;
  return first === undefined ? 'The arguments are not valid.' : `${first.path || 'The arguments'} ${first.message}.`;
}
