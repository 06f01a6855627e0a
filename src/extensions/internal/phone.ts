import type { TabDebugger } from './debugger.js';

/** Has a tab say that it is one of Chrome on a phone. The browser's own user agent is that already. */
export async function becomePhone(tabDebugger: TabDebugger, tabId: number): Promise<void> {
  const { userAgent } = navigator;
  const hints = { platform: 'Android', platformVersion: '', architecture: '', model: '', mobile: true, formFactors: ['Mobile'] };
  const override = { userAgent, platform: 'Linux armv81', userAgentMetadata: hints };
  await tabDebugger.send(tabId, 'Emulation.setUserAgentOverride', override);
}
