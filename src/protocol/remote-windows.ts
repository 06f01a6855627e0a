import type { BrowserWindows } from './api/windows.js';
import type { MethodsOf } from './calls.js';
import type { MakeCall } from './make-call.js';

/** The windows of a session, whose methods are calls to it. */
export const remoteWindows = (call: MakeCall<`windows.${MethodsOf<'windows'>}`>): BrowserWindows =>
  Object.freeze<BrowserWindows & Record<MethodsOf<'windows'>, unknown>>({
    list: () => call('windows.list', []),
    activate: async id => void (await call('windows.activate', [id])),
    close: async id => void (await call('windows.close', [id])),
    setBounds: async (id, { x, y, width, height }) =>
      void (await call('windows.setBounds', [id, { x, y, width, height }])),
  });
