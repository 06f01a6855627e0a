import {
  type CallArguments,
  type CallDeclaration,
  type CallResult,
  CALLS,
  isCallName,
  type OperationName,
} from '../../../protocol/calls.js';
import { TAB_METHODS } from '../../../protocol/tabs.js';
import { actionOfCall, detailsOf } from '../../audit/index.js';
import { ADMINISTRATOR, LACKS } from '../../model/index.js';
import { note } from '../middleware/audit.js';
import { argumentsBody } from '../table/body.js';
import { json, type Parameter } from '../table/description.js';
import { operation, type Operation } from '../table/operation.js';
import { ADMIN_ERRORS, AGENT_ERRORS, JSON_ERRORS, SESSION_ID } from './common.js';

/** What is documented of a call besides its declaration. */
interface Documentation {
  /** Name of the operation, if it differs from the call's. */
  id?: string;
  description?: string;
  /** Arguments. */
  example: readonly unknown[];
  /** What the answer is, and an example; without, that it is done. */
  answer?: readonly [description: string, example: unknown];
}

interface DocumentationOf<M extends OperationName> extends Documentation {
  example: CallArguments<M>;
  answer?: readonly [description: string, example: CallResult<M>];
}

const USER = '0b6e1c1e-6f0b-4b52-9f0e-5d6a5a2c7b11';
const UPLOAD = 'kx1M3q8cJ6Zp0aVt';
const DIALOG = {
  id: '5f1c8a52-5c7e-4f0e-9d58-3f0f6e7f2b11',
  type: 'prompt',
  tab_id: 3,
  origin: 'https://example.com',
  message: 'What is your name?',
  default_value: '',
} as const;
const LATER =
  'With `true` as third element, the call applies to everybody except those users, including users who join later. Nothing changes if a user is unknown.';

/** The calls that integrators can make, but those of tabs. */
const DOCUMENTED: { readonly [M in Exclude<OperationName, `tabs.${string}`>]: DocumentationOf<M> } = {
  addRoles: { description: LATER, example: [[USER], ['control']] },
  removeRoles: { description: LATER, example: [[USER], ['control'], true] },
  setPermissions: {
    example: [USER, { priority: 1 }],
    answer: [
      "All of the user's permissions.",
      { priority: 1, idle_timeout: 0, control_disabled: false, control_exclusive: false },
    ],
  },
  enablePrivacyMode: {
    description:
      'All others get no picture, no sound and nothing else of the session, their input is ignored, and requests and calls about what is in it, also with an API key, fail with `privacy_mode`, until privacy mode ends or is given to another user. It stays while the user is away, and over restarts of the service.',
    example: [USER],
  },
  disablePrivacyMode: { example: [] },
  'files.choose': { id: 'chooseFiles', example: [[UPLOAD]], answer: ['Done.', null] },
  'files.cancel': { id: 'cancelFileChooser', example: [], answer: ['Done.', null] },
  'files.drop': { id: 'dropFiles', example: [[UPLOAD], 0.5, 0.5], answer: ['Done.', null] },
  'dialogs.list': {
    id: 'listDialogs',
    description:
      'What pages, and the browser about pages, wait for an answer to: `alert`, `confirm`, `prompt`, `beforeunload`, `auth` and `certificate`.',
    example: [],
    answer: ['The dialogs that are open, oldest first.', [DIALOG]],
  },
  'dialogs.accept': {
    id: 'acceptDialog',
    description:
      'With `text` for a prompt, without which it keeps what is in its field; with `username` and `password` for `auth`.',
    example: [DIALOG.id, { text: 'Ada' }],
  },
  'dialogs.dismiss': { id: 'dismissDialog', example: [DIALOG.id] },
  'windows.list': {
    id: 'listWindows',
    description: 'Oldest first, with the dialogs that are windows of their own.',
    example: [],
    answer: [
      'The windows.',
      [
        { id: 6291458, kind: 'browser', title: 'Example Domain', active: false, x: 0, y: 0, width: 1280, height: 720 },
        { id: 6291481, kind: 'popup', title: 'Sign in', active: true, x: 200, y: 150, width: 406, height: 372 },
      ],
    ],
  },
  'windows.activate': {
    id: 'activateWindow',
    description: 'The window gets the keyboard, and is restored if it is minimized.',
    example: [6291458],
  },
  'windows.close': {
    id: 'closeWindow',
    description:
      'As by its close button: a page may ask first. Answers when the window is closed, or after a second. After the last one, the browser starts afresh.',
    example: [6291481],
  },
  'windows.setBounds': {
    id: 'setWindowBounds',
    description:
      'With the frame, in pixels of the display, which it does not leave. Windows of the kind `browser` fill the display.',
    example: [6291481, { x: 40, y: 40, width: 600, height: 400 }],
  },
  'console.saveState': { id: 'saveState', example: [0] },
  'console.loadState': { id: 'loadState', example: [0] },
  'console.pause': { id: 'pauseGame', example: [true] },
  'console.fastForward': { id: 'fastForward', example: [true] },
  'console.reset': { id: 'resetGame', example: [] },
  'console.disc': {
    id: 'changeDisc',
    description: 'Of a game that has several discs; without a number, they are only read.',
    example: [2],
    answer: ['The discs.', { disc: 2, labels: ['Quest (Disc 1)', 'Quest (Disc 2)'] }],
  },
  seats: {
    description: '`null` instead of a user frees the seat.',
    example: [1, USER],
    answer: [
      'All seats; `user_id` is null for a free one.',
      [
        { player: 1, user_id: USER },
        { player: 2, user_id: null },
      ],
    ],
  },
  'android.key': {
    id: 'pressAndroidKey',
    description: 'Such as back, home, recents, power or the volume; the key is released at once.',
    example: ['back'],
  },
  'android.rotate': {
    id: 'rotateAndroid',
    description: 'Without an orientation, by 90 degrees; `auto` lets the apps decide.',
    example: ['landscape'],
  },
  'android.open': {
    id: 'openAndroidApp',
    description: 'An app by its ID, or what the device opens for an address with http, https or market.',
    example: ['com.example.app'],
  },
  'android.install': {
    id: 'installAndroidApp',
    description: 'The file, an `.apk`, is uploaded first.',
    example: [UPLOAD],
    answer: ['The app was installed.', { app_id: 'com.example.app' }],
  },
  'android.location': {
    id: 'setAndroidLocation',
    description:
      'Latitude and longitude in degrees, and optionally the altitude in metres above sea level. Emulators only.',
    example: [48.8584, 2.2945],
  },
  'android.logs': {
    id: 'readAndroidLogs',
    description: 'The last lines of logcat, 500 by default.',
    example: [100],
    answer: ['The lines.', '11-22 10:15:01.123  1000  1000 I ActivityManager: Start proc'],
  },
};

const METHOD: Parameter = {
  name: 'method',
  in: 'path',
  required: true,
  description: 'Name of a method of `chrome.tabs`.',
  schema: { type: 'string', enum: TAB_METHODS },
};

/** The calls that viewers can also make over their sockets, subject to their roles. */
export const calls: readonly Operation[] = [
  callOperation('tabs.{method}', [SESSION_ID, METHOD], CALLS['tabs.query'], {
    id: 'callTabs',
    description:
      "The body holds the positional arguments of `chrome.tabs.<method>`, none for an empty body. If Chrome refuses, the error carries Chrome's own text.",
    example: [1, { active: true }],
    answer: ["The method's result, `null` where it has none.", null],
  }),
  ...Object.entries<Documentation>(DOCUMENTED).map(([name, documentation]) =>
    callOperation(name, [SESSION_ID], CALLS[name as keyof typeof DOCUMENTED], documentation),
  ),
];

/** Makes an operation of a call: the body holds the arguments, the answer is the call's value. */
function callOperation(
  name: string,
  parameters: readonly Parameter[],
  { summary, args, result, needs, session, answeredBy, errors }: CallDeclaration,
  { id = name, description, example, answer = ['Done.', {}] }: Documentation,
): Operation {
  const named = (params: { [name: string]: unknown }) => name.replace('{method}', String(params['method']));
  return operation({
    method: 'post',
    path: `/s/{session_id}/${name}`,
    id,
    tag: 'Session calls',
    summary,
    ...(description === undefined ? {} : { description }),
    credential: 'admin',
    parameters,
    body: argumentsBody(`session-calls.json#/$defs/${args}`, example),
    answers: { 200: json(answer[0], result ?? {}, answer[1]) },
    errors: [
      ...JSON_ERRORS,
      ...ADMIN_ERRORS,
      ...(session === null ? [] : [LACKS[session].code]),
      ...(needs === 'admin' ? [] : (['privacy_mode'] as const)),
      ...errors,
      ...(answeredBy === 'agent' ? (['too_many_calls', ...AGENT_ERRORS] as const) : []),
    ],
    // An unknown call name could be any text.
    audit: params => (isCallName(named(params)) ? actionOfCall(named(params)) : { event: 'call' }),
    handle:
      ({ sessions }) =>
      async ({ session, body, request, response }) => {
        const method = named(request.params);
        const value = (await sessions.connection(session.id).room.perform(ADMINISTRATOR, method, body)) ?? null;
        note(response, detailsOf(method, body));
        response.set('cache-control', 'no-store').json(value);
      },
  });
}
