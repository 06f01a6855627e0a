import t, { type Test } from 'tap';
import type { TabDebugger } from '../../src/extensions/internal/debugger.js';
import { Dialogs } from '../../src/extensions/internal/dialogs.js';
import { OpenDialogs } from '../../src/extensions/internal/open-dialogs.js';
import type { Dialog } from '../../src/protocol/generated/schemas.js';
import { until } from '../fixtures/until.js';

t.teardown(() => Reflect.deleteProperty(globalThis, 'chrome'));

type Listener = (...args: unknown[]) => void;

/** A browser with tabs 1 and 2, a discarded tab 3 and a download; `open` opens a dialog in a tab. */
async function begin() {
  let heard: Listener = () => undefined;
  const acts: unknown[][] = [];
  const tabs = [{ id: 1 }, { id: 2 }, { id: 3, discarded: true }];
  const chrome = {
    debugger: {
      onDetach: { addListener: () => undefined },
      onEvent: { addListener: (listener: Listener) => (heard = listener) },
    },
    tabs: {
      onCreated: { addListener: () => undefined },
      onUpdated: { addListener: () => undefined },
      onRemoved: { addListener: () => undefined },
      query: async () => tabs,
      get: async (id: number) => tabs.find(tab => tab.id === id),
    },
    downloads: { search: async () => [{ id: 7 }], cancel: async (id: number) => void acts.push(['cancel', id]) },
  };
  Object.assign(globalThis, { chrome });
  const tabDebugger = {
    request: async (tabId: number, method: string) => void acts.push([tabId, method]),
    send: async (tabId: number, method: string, { accept, promptText }: { accept: boolean; promptText?: string }) => {
      acts.push([tabId, method, accept, ...(promptText === undefined ? [] : [promptText])]);
      if (tabId === GONE) throw new Error('No dialog is showing');
    },
  };
  const told: Dialog[][] = [];
  const list = new OpenDialogs(each => told.push(each));
  const dialogs = new Dialogs(tabDebugger as unknown as TabDebugger, list);
  await until('tabs are observed', () => acts.length === 2);
  acts.splice(0);
  return {
    dialogs,
    acts,
    list,
    told,
    open: (tabId: number, type: string, message = '', url = 'https://example.com/a?b') =>
      heard({ tabId }, 'Page.javascriptDialogOpening', { type, url, message, defaultPrompt: 'x\u202ey' }),
    close: (tabId: number) => heard({ tabId }, 'Page.javascriptDialogClosed', { result: true }),
  };
}

const ANSWER = 'Page.handleJavaScriptDialog';

/** A tab that closes as it is answered. */
const GONE = 9;

t.test('dialogs are told with clean texts of a bounded length, and answered', async t => {
  const { acts, list, told, open, close } = await begin();
  open(1, 'prompt', 'a\r\nb\0\u202e\ud83d' + 'c'.repeat(5000));
  open(2, 'beforeunload', 'Stay!', 'about:blank');
  await until('they are told', () => told.length > 0);
  t.equal(told.length, 1, 'together');
  const [prompt, leaving] = told[0] as [Dialog, Dialog];
  t.match(prompt, { type: 'prompt', tab_id: 1, origin: 'https://example.com', default_value: 'x y' });
  t.equal(prompt.message, `a\nb  \ufffd${'c'.repeat(994)}`);
  t.match(leaving, { type: 'beforeunload', tab_id: 2, origin: '', message: '' });

  t.equal(await list.answer(prompt.id, { text: 'Ada' }), 'answered');
  t.equal(await list.answer(prompt.id, {}), 'gone', 'once');
  t.equal(await list.answer(leaving.id, null), 'answered');
  open(1, 'prompt');
  const [next] = await until('the next one is told', () => told.at(-1)?.length === 1 && told.at(-1));
  t.equal(await list.answer(next?.id ?? '', {}), 'answered');
  t.same(acts, [
    [1, ANSWER, true, 'Ada'],
    [2, ANSWER, false],
    [1, ANSWER, true, 'x\u202ey'],
  ]);
  close(1);
  close(2);
  await until('none is told', () => told.at(-1)?.length === 0);
  t.equal(await list.answer(prompt.id, {}), 'gone');
});

t.test('an answer that comes too late says so, and a page that opens many dialogs is told of ten at most', async t => {
  const { list, told, open } = await begin();
  open(GONE, 'alert');
  for (let tabId = 10; tabId < 30; tabId++) open(tabId, 'alert');
  await until('they are told', () => told[0]);
  t.equal(told[0]?.length, 10);
  t.equal(await list.answer(told[0]?.[0]?.id ?? '', {}), 'gone');
  await until('the next one is told', () => told[1]?.every(({ tab_id: id }) => id !== GONE));
});

t.test('a page that is left by a call is not asked, once', async t => {
  const { dialogs, acts, open, close } = await begin();
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
    const { dialogs, acts, open } = await begin();
    open(1, type);
    await dialogs.leave([1], async () => acts.push(['call']));
    t.same(acts, [[1, 'Page.enable'], ['call'], [1, ANSWER, accept]], type);
  }
});

t.test('at the end no dialog stays open, nor any download under way', async t => {
  const { dialogs, acts, open } = await begin();
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
  const { dialogs } = await begin();
  t.equal(await dialogs.leave([4], async () => 'left'), 'left');
});

const byText = (one: unknown[], other: unknown[]) => String(one).localeCompare(String(other));
