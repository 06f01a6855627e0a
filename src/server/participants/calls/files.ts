import type {
  FilesCancelArguments,
  FilesChooseArguments,
  FilesDropArguments,
} from '../../../protocol/generated/schemas.js';
import { CallError, kindOf, type KindName, mayUpload } from '../../model/index.js';
import { browserCall } from './browser.js';
import { sessionCall, type Need, type SessionCall } from './call.js';

const needs: Need = {
  test: mayUpload,
  code: 'role_required',
  message: 'Uploads need the roles file_upload and control.',
};

/** What to do with uploaded files. */
export const fileCalls: [method: string, call: SessionCall][] = [
  browserCall<FilesChooseArguments>('files.choose', 'files_choose', needs),
  browserCall<FilesCancelArguments>('files.cancel', 'files_cancel', needs),
  [
    'files.drop',
    sessionCall<FilesDropArguments>({
      schema: 'session-calls.json#/$defs/files_drop',
      needs,
      run: (context, args) => {
        requireUploads(context.kind);
        return context.agent('files.drop', args);
      },
    }),
  ],
];

/** @throws CallError if no files can be brought into sessions of this kind */
function requireUploads(kind: KindName): void {
  if (!kindOf(kind).uploads) throw new CallError('not_a_browser', 'This session takes no files.');
}
