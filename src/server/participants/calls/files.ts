import type {
  FilesCancelArguments,
  FilesChooseArguments,
  FilesDropArguments,
} from '../../../protocol/generated/schemas.js';
import { mayUpload } from '../access.js';
import { sessionCall, type Need, type SessionCall } from './call.js';

const needs: Need = {
  test: mayUpload,
  code: 'role_required',
  message: 'Files of users need the roles file_upload and control.',
};

function fileCall<T extends unknown[]>(method: string, schema: string): [method: string, call: SessionCall] {
  return [method, sessionCall<T>({ schema, needs, run: (context, args) => context.agent(method, args) })];
}

/** What becomes of files that were uploaded. */
export const fileCalls = [
  fileCall<FilesChooseArguments>('files.choose', 'session-calls.json#/$defs/files_choose'),
  fileCall<FilesCancelArguments>('files.cancel', 'session-calls.json#/$defs/files_cancel'),
  fileCall<FilesDropArguments>('files.drop', 'session-calls.json#/$defs/files_drop'),
];
