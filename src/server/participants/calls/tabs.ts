import { TAB_METHODS } from '../../../protocol/tabs.js';
import { mayCallTabs } from '../access.js';
import { browserCall } from './browser.js';
import type { Need } from './call.js';

const needs: Need = {
  test: mayCallTabs,
  code: 'role_required',
  message: 'Calls of tabs need the role chrome_apis.',
};

/** `tabs.<method>`: what `chrome.tabs.<method>` does with these arguments. */
export const tabCalls = TAB_METHODS.map(name => browserCall<unknown[]>(`tabs.${name}`, 'tabs', needs));
