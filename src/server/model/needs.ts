import { CAPABILITIES, type Capability, type NeedName } from '../../protocol/calls.js';
import { type Access, mayChangeTabs, mayControl, mayCopy, mayDownload, mayReadTabs, mayUpload } from './access.js';
import { CallError, type ErrorCode } from './errors.js';
import type { KindName } from './kinds/kind.js';

/** Who may do something, and the error that others get. */
export interface Need {
  readonly code: 'admin_required' | 'role_required';
  readonly message: string;
  test(access: Access): boolean;
}

/** What is needed for calls, and for requests with files. */
export const NEEDS: Readonly<Record<NeedName | 'download' | 'paste' | 'copy', Need>> = {
  admin: {
    code: 'admin_required',
    message: 'This is for holders of the admin token.',
    test: access => access.admin,
  },
  readTabs: { code: 'role_required', message: 'Calls to tabs need the role chrome_apis.', test: mayReadTabs },
  changeTabs: {
    code: 'role_required',
    message: 'Changing tabs needs the role chrome_apis, and control that is not disabled.',
    test: mayChangeTabs,
  },
  useWindows: { code: 'role_required', message: 'Calls to windows need the role control.', test: mayControl },
  upload: { code: 'role_required', message: 'Uploads need the roles file_upload and control.', test: mayUpload },
  download: { code: 'role_required', message: 'Downloads need the role file_download.', test: mayDownload },
  answerDialogs: { code: 'role_required', message: 'Answering dialogs needs the role control.', test: mayControl },
  paste: { code: 'role_required', message: 'Setting the clipboard needs the role control.', test: mayControl },
  copy: { code: 'role_required', message: 'What was copied is for the role clipboard_copy.', test: mayCopy },
  play: { code: 'role_required', message: 'Playing needs the role control.', test: mayControl },
  useDevice: { code: 'role_required', message: 'Using the device needs the role control.', test: mayControl },
  installApps: {
    code: 'role_required',
    message: 'Installing apps needs the roles file_upload and control.',
    test: mayUpload,
  },
};

/** The error of sessions that lack something. */
export const LACKS = {
  browser: { code: 'not_a_browser', message: 'This session is not a browser.' },
  console: { code: 'not_a_console', message: 'This session is not a console.' },
  device: { code: 'not_an_android', message: 'This session is not an Android device.' },
  uploads: { code: 'not_a_browser', message: 'This session does not accept files.' },
} as const satisfies Record<Capability, { code: ErrorCode; message: string }>;

/** @throws CallError if sessions of this kind lack something */
export function requireCapability(kind: KindName, capability: Capability): void {
  const has: readonly Capability[] = CAPABILITIES[kind];
  if (!has.includes(capability)) throw new CallError(LACKS[capability].code, LACKS[capability].message);
}
