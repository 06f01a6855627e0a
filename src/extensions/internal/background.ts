/** The internal extension: the agent's hands in the browser. */
import type { ExtensionCall } from '../../protocol/extension.js';
import { AgentSocket } from './agent-socket.js';
import { TabDebugger } from './debugger.js';
import { callTabs, listenToTabs } from './tabs.js';

const event = (name: string, args: readonly unknown[]) => agent.event(name, args);
const tabDebugger = new TabDebugger(event);

async function carryOut({ method, args }: ExtensionCall): Promise<unknown> {
  const [group = '', name = ''] = method.split('.', 2);
  if (group === 'tabs') return callTabs(name, args);
  const [tabId, command, params] = args as [number, string, Record<string, unknown>?];
  switch (method) {
    case 'debugger.send':
      return tabDebugger.send(tabId, command, params);
    case 'debugger.detach':
      return tabDebugger.detach(tabId);
    default:
      throw new Error(`There is no method ${method}.`);
  }
}

const agent = new AgentSocket(carryOut);
listenToTabs(event);

// Whatever wakes the extension makes it connect: the start of the browser, and an alarm after it was ended.
chrome.runtime.onStartup.addListener(() => undefined);
chrome.alarms.onAlarm.addListener(() => undefined);
void chrome.alarms.create('wake', { periodInMinutes: 0.5 });
