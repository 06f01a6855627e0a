import type {
  FilesCancelArguments,
  FilesChooseArguments,
  FilesDropArguments,
} from '../../../protocol/generated/schemas.js';
import { CallError, kindOf, type KindName, mayUpload } from '../../model/index.js';
import { requireBrowser } from './browser.js';
import { requireControl, sessionCall, type CallContext, type Need, type SessionCall } from './call.js';

const needs: Need = {
  test: mayUpload,
  code: 'role_required',
  message: 'Uploads need the roles file_upload and control.',
};

/** A call that acts on a page with files, for who has control now. `check` throws a CallError for other sessions. */
function fileCall<T extends unknown[]>(
  method: string,
  schema: string,
  check: (kind: KindName) => void,
): [method: string, call: SessionCall] {
  const run = (context: CallContext, args: T) => {
    check(context.kind);
    requireControl(context);
    return context.agent(method, args);
  };
  return [method, sessionCall<T>({ schema: `session-calls.json#/$defs/${schema}`, needs, run })];
}

/** What to do with uploaded files. */
export const fileCalls: [method: string, call: SessionCall][] = [
  fileCall<FilesChooseArguments>('files.choose', 'files_choose', requireBrowser),
  fileCall<FilesCancelArguments>('files.cancel', 'files_cancel', requireBrowser),
  fileCall<FilesDropArguments>('files.drop', 'files_drop', requireUploads),
];

/** @throws CallError if no files can be brought into sessions of this kind */
function requireUploads(kind: KindName): void {
  if (!kindOf(kind).uploads) throw new CallError('not_a_browser', 'This session takes no files.');
}
