import { READING_TAB_METHODS, TAB_METHODS } from '../../../protocol/tabs.js';
import { mayChangeTabs, mayReadTabs } from '../../model/index.js';
import { browserCall } from './browser.js';
import type { Need } from './call.js';

const reading: Need = {
  test: mayReadTabs,
  code: 'role_required',
  message: 'Calls to tabs need the role chrome_apis.',
};
const changing: Need = {
  test: mayChangeTabs,
  code: 'role_required',
  message: 'Changing tabs needs the role chrome_apis, and control that is not disabled.',
};

/** `tabs.<method>`: what `chrome.tabs.<method>` does with these arguments. */
export const tabCalls = TAB_METHODS.map(name =>
  browserCall<unknown[]>(`tabs.${name}`, 'tabs', READING_TAB_METHODS.has(name) ? reading : changing),
);
