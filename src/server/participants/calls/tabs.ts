import { TAB_METHODS } from '../../../protocol/tabs.js';
import { mayCallTabs } from '../access.js';
import { CallError } from '../call-error.js';
import { sessionCall, type Need, type SessionCall } from './call.js';

const needs: Need = {
  test: mayCallTabs,
  code: 'role_required',
  message: 'Calls of tabs need the role chrome_apis.',
};

/** @throws CallError where the session is not a browser's */
export function requireBrowser(kind: string): void {
  if (kind !== 'chromium') throw new CallError('not_a_browser', 'This session is not a browser.');
}

/** `tabs.<method>`: what `chrome.tabs.<method>` does with these arguments. */
export const tabCalls: [method: string, call: SessionCall][] = TAB_METHODS.map(name => {
  const method = `tabs.${name}`;
  const call = sessionCall<unknown[]>({
    schema: 'session-calls.json#/$defs/tabs',
    needs,
    run: (context, args) => {
      requireBrowser(context.kind);
      return context.agent(method, args);
    },
  });
  return [method, call];
});
