import type {
  FilesCancelArguments,
  FilesChooseArguments,
  FilesDropArguments,
} from '../../../protocol/generated/schemas.js';
import { mayUpload } from '../../model/index.js';
import { browserCall } from './browser.js';
import type { Need } from './call.js';

const needs: Need = {
  test: mayUpload,
  code: 'role_required',
  message: 'Uploads need the roles file_upload and control.',
};

/** What to do with uploaded files. */
export const fileCalls = [
  browserCall<FilesChooseArguments>('files.choose', 'files_choose', needs),
  browserCall<FilesCancelArguments>('files.cancel', 'files_cancel', needs),
  browserCall<FilesDropArguments>('files.drop', 'files_drop', needs),
];
