import { TAB_METHODS } from '../../../../protocol/tabs.js';
import { json, type Parameter } from '../../table/description.js';
import { AGENT_ERRORS } from '../common.js';
import { call } from './call.js';

const UPLOAD = 'kx1M3q8cJ6Zp0aVt';

const METHOD: Parameter = {
  name: 'method',
  in: 'path',
  required: true,
  description: 'Name of a method of `chrome.tabs`.',
  schema: { type: 'string', enum: TAB_METHODS },
};

const ERRORS = ['not_a_browser', 'too_many_calls', ...AGENT_ERRORS] as const;

/** A browser's tabs. */
export const tabCalls = [
  call({
    method: 'tabs.{method}',
    methods: METHOD,
    id: 'callTabs',
    summary: 'Call chrome.tabs',
    description:
      "The body holds the positional arguments of `chrome.tabs.<method>`, none for an empty body. If Chrome refuses, the error carries Chrome's own text.",
    args: 'tabs',
    example: [1, { active: true }],
    answer: json("The method's result, `null` where it has none.", {}, null),
    errors: ['tab_error', ...ERRORS],
  }),
];

/** What to do with uploaded files. */
export const fileCalls = [
  call({
    method: 'files.choose',
    id: 'chooseFiles',
    summary: 'Hand uploads to the open file chooser',
    args: 'files_choose',
    example: [[UPLOAD]],
    answer: json('Done.', {}, null),
    errors: ['no_chooser', 'one_file_only', 'upload_not_found', ...ERRORS],
  }),
  call({
    method: 'files.cancel',
    id: 'cancelFileChooser',
    summary: 'Close the file chooser',
    args: 'files_cancel',
    example: [],
    answer: json('Done.', {}, null),
    errors: ['no_chooser', ...ERRORS],
  }),
  call({
    method: 'files.drop',
    id: 'dropFiles',
    summary: 'Drop uploads onto the page',
    args: 'files_drop',
    example: [[UPLOAD], 0.5, 0.5],
    answer: json('Done.', {}, null),
    errors: ['no_page', 'upload_not_found', ...ERRORS],
  }),
];
