/** What the objects of the SDK send, held against the declarations of the calls. */
import t from 'tap';
import { type CallDeclaration, CALLS, isCallName } from '../../../src/protocol/calls.js';
import type { ViewerCall } from '../../../src/protocol/generated/schemas.js';
import { validator } from '../../../src/protocol/validation.js';
import { remoteWindows } from '../../../src/protocol/remote-windows.js';
import { remoteAndroid } from '../../../src/web/sdk/android.js';
import { Calls } from '../../../src/web/sdk/connection/calls.js';
import { RemoteConsole } from '../../../src/web/sdk/console.js';
import { remoteDialogs } from '../../../src/web/sdk/dialogs.js';
import { Files } from '../../../src/web/sdk/files.js';
import { remoteTabs } from '../../../src/web/sdk/tabs.js';

const sent: ViewerCall[] = [];
const results: Record<string, unknown> = {
  takeSeat: [{ player: 1, user_id: 'me' }],
  leaveSeat: [{ player: 1, user_id: null }],
  'android.install': { app_id: 'org.example' },
  'android.logs': 'a line',
  'windows.list': [],
  'dialogs.list': [],
  'console.disc': { disc: 2, labels: ['1', '2'] },
};
const calls = new Calls(call => {
  sent.push(call);
  queueMicrotask(() => calls.answered({ type: 'result', id: call.id, value: results[call.method] ?? {} }));
  return true;
});
const call: typeof calls.call = (method, args) => calls.call(method, args);
const console = new RemoteConsole(call);
const android = remoteAndroid({ call, upload: async () => 'upload' });
const files = new Files(() => ({ base: '', ticket: null }), call);
const { tabs } = remoteTabs(call);
const windows = remoteWindows(call);
const dialogs = remoteDialogs(call);

/** Resolves with what was sent, and with the result. */
async function outcome(act: Promise<unknown>): Promise<[method: string, args: unknown[], result: unknown]> {
  const result = await act;
  const { method = '', args = [] } = sent.at(-1) ?? {};
  return [method, args, result];
}

t.test('each method makes its call, with arguments that the service accepts', async t => {
  const apk = new File(['apk'], 'app.apk');
  t.same(await outcome(console.game.saveState(3)), ['console.saveState', [3], undefined]);
  t.same(await outcome(console.game.loadState(9)), ['console.loadState', [9], undefined]);
  t.same(await outcome(console.game.pause(true)), ['console.pause', [true], undefined]);
  t.same(await outcome(console.game.fastForward(false)), ['console.fastForward', [false], undefined]);
  t.same(await outcome(console.game.reset()), ['console.reset', [], undefined]);
  const discs = { disc: 2, labels: ['1', '2'] };
  t.same(await outcome(console.game.disc(2)), ['console.disc', [2], discs]);
  t.same(await outcome(console.game.disc()), ['console.disc', [], discs]);
  t.same(await outcome(console.changeSeats('takeSeat', undefined)), ['takeSeat', [], [{ player: 1, userId: 'me' }]]);
  t.same(await outcome(console.changeSeats('leaveSeat', 1)), ['leaveSeat', [1], [{ player: 1, userId: null }]]);
  t.same(await outcome(android.key('back')), ['android.key', ['back'], undefined]);
  t.same(await outcome(android.rotate()), ['android.rotate', [], undefined]);
  t.same(await outcome(android.rotate('auto')), ['android.rotate', ['auto'], undefined]);
  t.same(await outcome(android.open('org.example')), ['android.open', ['org.example'], undefined]);
  t.same(await outcome(android.location(1, 2, undefined)), ['android.location', [1, 2], undefined]);
  t.same(await outcome(android.location(1, 2, 3)), ['android.location', [1, 2, 3], undefined]);
  t.same(await outcome(android.logs()), ['android.logs', [], 'a line']);
  t.same(await outcome(android.install(apk)), ['android.install', ['upload'], 'org.example']);
  t.same(await outcome(files.choose(['a', 'b'])), ['files.choose', [['a', 'b']], undefined]);
  t.same(await outcome(files.cancel()), ['files.cancel', [], undefined]);
  t.same(await outcome(files.drop(['a'], 0.5, 1)), ['files.drop', [['a'], 0.5, 1], undefined]);
  t.same(await outcome(dialogs.list()), ['dialogs.list', [], []]);
  t.same(await outcome(dialogs.accept('d1')), ['dialogs.accept', ['d1'], undefined]);
  t.same(await outcome(dialogs.accept('d1', { text: '' })), ['dialogs.accept', ['d1', { text: '' }], undefined]);
  t.same(await outcome(dialogs.dismiss('d1')), ['dialogs.dismiss', ['d1'], undefined]);
  t.same(await outcome(windows.list()), ['windows.list', [], []]);
  t.same(await outcome(windows.activate(7)), ['windows.activate', [7], undefined]);
  t.same(await outcome(windows.close(7)), ['windows.close', [7], undefined]);
  const bounds = { x: -5, y: 0, width: 300, height: 200 };
  t.same(await outcome(windows.setBounds(7, bounds)), ['windows.setBounds', [7, bounds], undefined]);
  t.same(await outcome(tabs.goBack(undefined)), ['tabs.goBack', [], {}]);
  t.same(await outcome(tabs.update(3, { active: true })), ['tabs.update', [3, { active: true }], {}]);
  for (const { method, args } of sent) {
    if (!isCallName(method)) t.fail(method);
    else {
      const { args: schema }: CallDeclaration = CALLS[method];
      t.match(validator(`session-calls.json#/$defs/${schema}`)(args), { ok: true }, method);
    }
  }
});

t.test('callbacks are refused: results are awaited', async t => {
  const query = tabs.query as (...args: unknown[]) => Promise<unknown>;
  await t.rejects(
    query({}, () => undefined),
    TypeError,
  );
});
