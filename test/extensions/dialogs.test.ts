import t, { type Test } from 'tap';
import type { TabDebugger } from '../../src/extensions/internal/debugger.js';
import { Dialogs } from '../../src/extensions/internal/dialogs.js';

t.teardown(() => Reflect.deleteProperty(globalThis, 'chrome'));

type Listener = (...args: unknown[]) => void;

/** A browser with tabs 1 and 2, a discarded tab 3 and a download; `open` opens a dialog in a tab. */
function begin() {
  let heard: Listener = () => undefined;
  const acts: unknown[][] = [];
  const tabs = [{ id: 1 }, { id: 2 }, { id: 3, discarded: true }];
  const chrome = {
    debugger: {
      onDetach: { addListener: () => undefined },
      onEvent: { addListener: (listener: Listener) => (heard = listener) },
    },
    tabs: { query: async () => tabs, get: async (id: number) => tabs.find(tab => tab.id === id) },
    downloads: { search: async () => [{ id: 7 }], cancel: async (id: number) => void acts.push(['cancel', id]) },
  };
  Object.assign(globalThis, { chrome });
  const tabDebugger = {
    request: async (tabId: number, method: string) => void acts.push([tabId, method]),
    send: async (tabId: number, method: string, params: { accept: boolean }) =>
      void acts.push([tabId, method, params.accept]),
  };
  const dialogs = new Dialogs(tabDebugger as unknown as TabDebugger);
  return {
    dialogs,
    acts,
    open: (tabId: number, type: string) => heard({ tabId }, 'Page.javascriptDialogOpening', { type }),
    close: (tabId: number) => heard({ tabId }, 'Page.javascriptDialogClosed', { result: true }),
  };
}

const ANSWER = 'Page.handleJavaScriptDialog';

t.test('a page that is left by a call is not asked, once', async t => {
  const { dialogs, acts, open, close } = begin();
  t.equal(await dialogs.leave([1], async () => acts.push(['call'])), 2);
  t.same(acts.splice(0), [[1, 'Page.enable'], ['call']], 'it is observed before it is left');
  open(1, 'beforeunload');
  t.same(acts.splice(0), [[1, ANSWER, true]]);
  close(1);
  open(1, 'beforeunload');
  open(2, 'beforeunload');
  t.same(acts, [], 'later questions, and those of other tabs, are for people');
});

t.test('a question that is open is answered with what the call leaves for', async t => {
  for (const [type, accept] of [
    ['beforeunload', true],
    ['confirm', false],
  ] as const) {
    const { dialogs, acts, open } = begin();
    open(1, type);
    await dialogs.leave([1], async () => acts.push(['call']));
    t.same(acts, [[1, 'Page.enable'], ['call'], [1, ANSWER, accept]], type);
  }
});

t.test('at the end no dialog stays open, nor any download under way', async t => {
  const { dialogs, acts, open } = begin();
  open(2, 'prompt');
  await dialogs.end();
  const expected = [
    ['cancel', 7],
    [1, 'Page.enable'],
    [2, 'Page.enable'],
    [2, ANSWER, false],
  ];
  t.same(acts.splice(0).sort(byText), expected.sort(byText), 'tabs without a page stay without');
  open(1, 'beforeunload');
  open(2, 'alert');
  t.same(acts, [
    [1, ANSWER, true],
    [2, ANSWER, false],
  ]);
});

t.test('a page that cannot be observed holds up no call', async (t: Test) => {
  const { dialogs } = begin();
  t.equal(await dialogs.leave([4], async () => 'left'), 'left');
});

const byText = (one: unknown[], other: unknown[]) => String(one).localeCompare(String(other));
