import t, { type Test } from 'tap';
import type { ExtensionChannel } from '../../../../src/agent/browser/extension/extension-channel.js';
import { Choosers } from '../../../../src/agent/browser/files/choosers.js';
import { TabsDebugger } from '../../../../src/agent/browser/files/tabs-debugger.js';
import type { FileChooser } from '../../../../src/protocol/generated/schemas.js';

const FRONT = { id: 1, active: true };

/** Choosers of a browser with a tab in front, and what they told viewers and answered Chromium. */
function begin(t: Test, { hasUploads = false } = {}) {
  const handlers = new Map<string, (args: readonly unknown[]) => void>();
  const extension = {
    isConnected: true,
    on: (event: string, handler: (args: readonly unknown[]) => void) => handlers.set(event, handler),
    call: () => Promise.resolve([FRONT]),
  };
  const told: FileChooser[] = [];
  const answers: [handle: string, paths: readonly string[] | null][] = [];
  const choosers = new Choosers({
    tabs: new TabsDebugger(extension as unknown as ExtensionChannel),
    tell: chooser => told.push(chooser),
    answer: (handle, paths) => answers.push([handle, paths]),
    hasUploads: () => hasUploads,
  });
  t.teardown(() => choosers.stop());
  const dialog = { multiple: false, directory: false, accept: '.pdf' };
  return {
    choosers,
    told,
    answers,
    event: (name: string, ...args: unknown[]) => handlers.get(name)?.(args),
    /** Chromium opens a dialog; resolves when its tab is known. */
    open: async (handle: string, other: Partial<typeof dialog> = {}) => {
      const isShown = choosers.opened({ handle, ...dialog, ...other });
      await new Promise(resolve => setImmediate(resolve));
      return isShown;
    },
  };
}

const OPEN = { type: 'file_chooser', open: true, multiple: false, accept: '.pdf' };
const CLOSED = { type: 'file_chooser', open: false };
const [FILE, FOLDER] = [
  { path: '/a', isFolder: false },
  { path: '/b', isFolder: true },
];

t.test('a page is asked to wait only where somebody can answer', async t => {
  const { choosers, told, open } = begin(t);
  t.equal(await open('first'), false);
  t.same(told, []);
  choosers.enable(true);
  t.equal(await open('second'), true);
  t.same(told, [OPEN]);
  t.equal(await begin(t, { hasUploads: true }).open('third'), true, 'or has brought files');
});

t.test('what is chosen must be what the page takes', async t => {
  const { choosers, answers, open } = begin(t);
  choosers.enable(true);
  t.throws(() => choosers.choose([FILE]), { code: 'no_chooser' });
  await open('file');
  t.throws(() => choosers.choose([FOLDER]), { code: 'files_only' });
  t.throws(() => choosers.choose([FILE, FILE]), { code: 'one_file_only' });
  choosers.choose([FILE]);
  await open('folder', { directory: true });
  t.throws(() => choosers.choose([FILE]), { code: 'folder_only' });
  choosers.choose([FOLDER]);
  t.same(answers, [
    ['file', ['/a']],
    ['folder', ['/b']],
  ]);
});

t.test('it closes when its tab gets another page or goes, another tab does not matter', async t => {
  for (const [name, ...args] of [
    ['tabs.onUpdated', 1, { status: 'loading' }],
    ['tabs.onRemoved', 1],
  ] as const) {
    const { choosers, told, answers, event, open } = begin(t);
    choosers.enable(true);
    await open('a');
    event('tabs.onRemoved', 2);
    t.same(told, [OPEN]);
    event(name, ...args);
    t.same(told, [OPEN, CLOSED], name);
    t.same(answers, [['a', null]]);
  }
});

t.test('the newest of several is open, the others are cancelled', async t => {
  const { choosers, told, answers, open } = begin(t);
  choosers.enable(true);
  await open('a');
  await open('b', { accept: '' });
  t.same(answers, [['a', null]]);
  choosers.closed('a');
  t.match(choosers.open, { open: true }, 'what Chromium closes is not the one that is open');
  choosers.closed('b');
  t.same(told.at(-1), CLOSED);
  t.same(answers, [['a', null]], 'which is no answer');
});

t.test('the end of the browser closes it', async t => {
  const { choosers, told, open } = begin(t);
  choosers.enable(true);
  await open('a');
  choosers.lost();
  t.same(told, [OPEN, CLOSED]);
});
