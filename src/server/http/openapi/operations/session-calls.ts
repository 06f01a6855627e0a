import { TAB_METHODS } from '../../../../protocol/tabs.js';
import { json, type Operation, type Parameter } from '../operation.js';
import { SESSION_ID } from './parameters.js';
import { ADMIN_ERRORS, AGENT_ERRORS } from './session-errors.js';

const TAG = 'Session calls';
const USER = '0b6e1c1e-6f0b-4b52-9f0e-5d6a5a2c7b11';
const UPLOAD = 'kx1M3q8cJ6Zp0aVt';

const METHOD: Parameter = {
  name: 'method',
  in: 'path',
  required: true,
  description: 'Name of a method of `chrome.tabs`.',
  schema: { type: 'string', enum: TAB_METHODS },
};

const BROWSER_ERRORS = ['not_a_browser', 'too_many_calls', ...AGENT_ERRORS] as const;
const BODY_ERRORS = ['invalid_body', 'invalid_json', 'body_too_large', 'unsupported_media_type'] as const;

export interface Call {
  method: string;
  /** Default: the method. */
  id?: string;
  summary: string;
  description?: string;
  args: string;
  example: unknown[];
  answer: Operation['answers'][number];
  errors: Operation['errors'];
}

export const call = ({ method, id = method, summary, description, args, example, answer, errors }: Call): Operation => ({
  method: 'post',
  path: `/s/{session_id}/${method}`,
  id,
  tag: TAG,
  summary,
  ...(description === undefined ? {} : { description }),
  security: ['adminToken', 'apiKey'],
  parameters: method.includes('{') ? [SESSION_ID, METHOD] : [SESSION_ID],
  body: { required: true, content: { 'application/json': { schema: `session-calls.json#/$defs/${args}`, example } } },
  answers: { 200: answer },
  errors: [...BODY_ERRORS, ...ADMIN_ERRORS, ...errors],
});

const nothing = json('It is done.', { type: 'object' }, {});
const LATER =
  'With `true` as third element, everybody except those users is meant, those who join later included. Nothing changes where a user is unknown.';

/** What integrators can ask of a session; viewers ask the same over their sockets, after their roles. */
export const calls: readonly Operation[] = [
  call({
    method: 'tabs.{method}',
    id: 'callTabs',
    summary: 'Call chrome.tabs',
    description:
      "The body holds the positional arguments of `chrome.tabs.<method>`, none for an empty body. What Chrome refuses is answered with Chrome's own text.",
    args: 'tabs',
    example: [1, { active: true }],
    answer: json("The method's result, `null` where it has none.", {}, null),
    errors: ['tab_error', ...BROWSER_ERRORS],
  }),
  call({
    method: 'addRoles',
    summary: 'Give roles to users',
    description: LATER,
    args: 'roles',
    example: [[USER], ['control']],
    answer: nothing,
    errors: ['user_not_found'],
  }),
  call({
    method: 'removeRoles',
    summary: 'Take roles from users',
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
    answer: json("All of the user's permissions.", 'viewer.json#/$defs/permissions', {
      priority: 1,
      idle_timeout: 0,
      control_disabled: false,
      control_exclusive: false,
    }),
    errors: ['user_not_found'],
  }),
  call({
    method: 'files.choose',
    id: 'chooseFiles',
    summary: 'Hand uploads to the open file chooser',
    args: 'files_choose',
    example: [[UPLOAD]],
    answer: json('It is done.', {}, null),
    errors: ['no_chooser', 'one_file_only', 'upload_not_found', ...BROWSER_ERRORS],
  }),
  call({
    method: 'files.cancel',
    id: 'cancelFileChooser',
    summary: 'Close the file chooser',
    args: 'files_cancel',
    example: [],
    answer: json('It is done.', {}, null),
    errors: ['no_chooser', ...BROWSER_ERRORS],
  }),
  call({
    method: 'files.drop',
    id: 'dropFiles',
    summary: 'Drop uploads onto the page',
    args: 'files_drop',
    example: [[UPLOAD], 0.5, 0.5],
    answer: json('It is done.', {}, null),
    errors: ['no_page', 'upload_not_found', ...BROWSER_ERRORS],
  }),
];
