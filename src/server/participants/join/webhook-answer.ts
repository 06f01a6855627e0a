import type { ParticipantCheckAnswer, Permissions, Role } from '../../../protocol/generated/schemas.js';
import { validator } from '../../../protocol/validation.js';
import { type Person, shownColor, shownName } from '../../model/index.js';

/** Whether a user may join, and what it may do then. `reason` is for the log and contains nothing secret. */
export type Verdict =
  | {
      authorized: true;
      answer: Omit<ParticipantCheckAnswer, 'authorized'>;
      /** What the answer has that is not known, and was ignored: `permissions.name`, `roles.name`; some of it. */
      ignored: readonly string[];
    }
  | { authorized: false; reason: string };

const isAnswer = validator<ParticipantCheckAnswer>('participant-check.json#/$defs/answer');

const PERMISSIONS = namesOf<keyof Permissions>({
  priority: true,
  idle_timeout: true,
  control_disabled: true,
  control_exclusive: true,
});
const ROLES = namesOf<Role>({
  chrome_apis: true,
  resize: true,
  control: true,
  cursor_data: true,
  clipboard_copy: true,
  file_upload: true,
  file_download: true,
  user_list: true,
});

/** Names that are told; a receiver may make up any. */
const IGNORED_MAX = 10;
const NAME = /^[\w.:-]{1,64}$/;

/** All names of a type. */
function namesOf<Name extends string>(names: Record<Name, true>): ReadonlySet<string> {
  return new Set(Object.keys(names));
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What others see of a user, by the answer about it. */
export const personOf = ({ name, color }: Omit<ParticipantCheckAnswer, 'authorized'>): Person => ({
  ...(name === undefined ? {} : { name }),
  ...(color === undefined ? {} : { color }),
});

export const denied = (reason: string): Verdict => ({ authorized: false, reason });

/**
 * Judges the body of an answer with status 200. Names that are not known and `null` are ignored, since other versions of
 * an integrator's backend may know more; known names with other values than theirs deny.
 */
export function judge(text: string): Verdict {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return denied('the answer is not JSON');
  }
  const ignored = new Set<string>();
  const result = isAnswer(isObject(body) ? withKnownNames(body, name => ignored.add(name)) : body);
  if (!result.ok)
    return denied(`the answer denies: ${result.problems.map(({ path, message }) => `${path} ${message}`).join(', ')}`);
  const { authorized: _, ...answer } = result.value;
  return { authorized: true, answer, ignored: [...ignored].slice(0, IGNORED_MAX) };
}

function withKnownNames(body: Fields, ignore: (name: string) => unknown): Fields {
  const { authorized, permissions, roles } = body;
  const isKnown = (of: string, name: unknown, known: ReadonlySet<string>, value: unknown = name) => {
    if (value !== null && (typeof name !== 'string' || known.has(name))) return true;
    ignore(`${of}.${typeof name === 'string' && NAME.test(name) ? name : '?'}`);
    return false;
  };
  const kept: Record<string, unknown> = { authorized };
  if (permissions === null) ignore('permissions');
  else if (isObject(permissions))
    kept['permissions'] = Object.fromEntries(
      Object.entries(permissions).filter(([name, value]) => isKnown('permissions', name, PERMISSIONS, value)),
    );
  else if (permissions !== undefined) kept['permissions'] = permissions;
  if (roles === null) ignore('roles');
  else if (Array.isArray(roles)) kept['roles'] = roles.filter(role => isKnown('roles', role, ROLES));
  else if (roles !== undefined) kept['roles'] = roles;
  // They are no rights: what others cannot be shown is left out.
  for (const [field, shown] of [
    ['name', shownName(body['name'])],
    ['color', shownColor(body['color'])],
  ] as const) {
    if (shown !== undefined) kept[field] = shown;
    else if (body[field] !== undefined) ignore(field);
  }
  return kept;
}
