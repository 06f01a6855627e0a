import t, { type Test } from 'tap';
import { NO_PAGE } from '../../../src/protocol/extension.js';
import { COMMON_PREPARATION } from '../../../src/protocol/preparation.js';
import { FirstPages, pageToOpen, WAITING_PAGE } from '../../../src/agent/browser/launch/first-page.js';
import { type Swap, SwapFilter } from '../../../src/agent/browser/tabs/swap-filter.js';
import { Handover } from '../../../src/agent/handover/handover.js';
import { until } from '../../fixtures/until.js';

const START = 'https://start.example/';
const log = { info: () => undefined, warn: () => undefined };

t.test('only the waiting page and dropped pages are replaced', async t => {
  const cases: [what: string, tab: object, opened: string | undefined][] = [
    ['the waiting page', { url: WAITING_PAGE, status: 'complete' }, START],
    ['the waiting page on its way', { url: '', pendingUrl: WAITING_PAGE, status: 'loading' }, START],
    [
      'a page that Chromium dropped',
      { url: '', pendingUrl: 'https://a.example/', status: 'complete' },
      'https://a.example/',
    ],
    ['a page on its way', { url: '', pendingUrl: 'https://a.example/', status: 'loading' }, undefined],
    ['a page', { url: 'https://a.example/', status: 'complete' }, undefined],
    [
      'a page that leads to another',
      { url: 'https://a.example/', pendingUrl: 'https://b.example/', status: 'complete' },
      undefined,
    ],
    ['a prepared browser', { url: '', pendingUrl: NO_PAGE, status: 'complete' }, undefined],
    ['a tab that was opened empty', { url: '', status: 'complete' }, undefined],
  ];
  for (const [what, tab, opened] of cases) t.equal(pageToOpen({ id: 1, ...tab }, START), opened, what);
});

/** The extension of a browser with these tabs; `connect` is its connection to the agent. */
function browser(tabs: readonly object[] = []) {
  const calls: unknown[][] = [];
  let connected: (args: readonly unknown[]) => void = () => undefined;
  const extension = {
    isConnected: false,
    answer: async (): Promise<unknown> => null,
    on: (_event: string, handler: typeof connected) => void (connected = handler),
    call: async (method: string, args: readonly unknown[]) => {
      if (method === 'tabs.query') return tabs;
      calls.push([method, ...args]);
      return extension.answer();
    },
  };
  const connect = () => {
    extension.isConnected = true;
    connected([]);
  };
  return { extension, calls, connect };
}

const launch = { ...COMMON_PREPARATION, chromium: { ...COMMON_PREPARATION.chromium, start_url: START } };

/** The page is opened, and the tab without one closed. */
const INSTEAD = [['open', START], ['pages.closePageless']];
/** The same once the window fills the display. */
const FILLING = [['pages.fill', { width: 1280, height: 720 }], ...INSTEAD];

/** The first pages of a browser, and what they tell. */
function pages(
  t: Test,
  { extension, calls }: ReturnType<typeof browser>,
  folder = t.testdir(),
  started = COMMON_PREPARATION,
) {
  const told = { opened: 0, failed: 0, swapped: 0, events: [] as unknown[] };
  const swaps = new SwapFilter((name, [first]) => told.events.push([name, first]));
  const release = (swap?: Swap) => {
    told.swapped++;
    swaps.release(swap);
  };
  const clock = { now: 1000 };
  const options = {
    extension,
    launch: started,
    handover: new Handover(log, { folder }),
    log,
    swaps: { hold: () => swaps.hold(), drop: () => swaps.drop(), release },
    prepare: async () => undefined,
    open: async (url: string, _signal: AbortSignal) => void calls.push(['open', url]),
    opened: () => void told.opened++,
    failed: () => void told.failed++,
  };
  const swapped = (times: number) => until('the tab without a page is gone', () => told.swapped === times);
  return { firstPages: new FirstPages(options, () => clock.now), told, swaps, swapped, clock, options };
}

t.test('they are replaced each time the browser has started', async t => {
  const chromium = browser([
    { id: 1, url: WAITING_PAGE },
    { id: 2, url: START },
    { id: 3, url: '', pendingUrl: 'https://a.example/', status: 'complete' },
  ]);
  const { calls, connect } = chromium;
  pages(t, chromium).firstPages.launched(launch, false);
  for (const times of [1, 2]) {
    connect();
    await until('both are opened', () => calls.length === 2 * times);
    t.same(calls.slice(-2), [
      ['tabs.update', 1, { url: START }],
      ['tabs.update', 3, { url: 'https://a.example/' }],
    ]);
  }
});

t.test('in a prepared browser the page of the launch is opened once', async t => {
  const chromium = browser();
  const { firstPages, told, swapped } = pages(t, chromium);
  chromium.connect();
  firstPages.launched(launch, true);
  await swapped(1);
  t.same(chromium.calls, INSTEAD);
  t.equal(told.opened, 1);
  chromium.connect();
  await new Promise(setImmediate);
  t.same(chromium.calls, INSTEAD, 'not again when the extension reconnects');
});

t.test('the page is opened while the browser starts, and the tab without one closed when it has', async t => {
  const chromium = browser();
  const { firstPages, told, swapped } = pages(t, chromium);
  firstPages.launched(launch, true);
  await until('it is open', () => told.opened === 1);
  t.same(chromium.calls, [['open', START]]);
  chromium.connect();
  await swapped(1);
  t.same(chromium.calls, INSTEAD);
});

t.test('it waits for the extensions that it needs, and for another size', async t => {
  for (const [what, differs] of [
    ['adblock', { chromium: { ...launch.chromium, adblock: true } }],
    ['size', { display: { ...launch.display, width: 900 } }],
  ] as const) {
    const chromium = browser();
    const { firstPages, swapped } = pages(t, chromium);
    firstPages.launched({ ...launch, ...differs }, true);
    await new Promise(setImmediate);
    t.same(chromium.calls, [], what);
    chromium.connect();
    await swapped(1);
    t.match(chromium.calls, [['pages.fill'], ...INSTEAD]);
  }
});

t.test('a browser that died before it noted its page is given it again', async t => {
  const chromium = browser([{ id: 1, url: '', status: 'complete' }]);
  const { firstPages, clock, swapped } = pages(t, chromium);
  chromium.connect();
  firstPages.launched(launch, true);
  await swapped(1);
  firstPages.lost();
  // However long it takes to come back.
  clock.now += 60_000;
  chromium.connect();
  await swapped(2);
  t.same(chromium.calls, [...INSTEAD, ...FILLING]);
});

t.test('nothing is opened in a browser that has noted it, or that did not die', async t => {
  for (const [what, url, after, dies] of [
    ['it came back with its page', START, 0, true],
    ['the page of the session is blank', 'about:blank', 0, true],
    ['a tab of the session had no page', '', 11_000, true],
    ['only the extension was restarted', '', 0, false],
  ] as const) {
    const chromium = browser([{ id: 1, url, status: 'complete' }]);
    const { firstPages, clock, swapped } = pages(t, chromium);
    chromium.connect();
    firstPages.launched(launch, true);
    await swapped(1);
    clock.now += after;
    if (dies) firstPages.lost();
    chromium.connect();
    await new Promise(setImmediate);
    t.same(chromium.calls, INSTEAD, what);
  }
});

t.test('a browser that died with its page beside the tab without one only has that closed', async t => {
  const chromium = browser([
    { id: 1, url: '', status: 'complete' },
    { id: 2, url: START, status: 'complete' },
  ]);
  const { firstPages, told, swapped } = pages(t, chromium);
  firstPages.launched(launch, true);
  await until('it is open', () => told.opened === 1);
  firstPages.lost();
  chromium.connect();
  await swapped(1);
  t.same(chromium.calls, INSTEAD);
});

t.test('a browser that died before its page was opened is given it once', async t => {
  for (const [url, calls] of [
    ['', FILLING],
    [START, []],
  ] as const) {
    const chromium = browser([{ id: 1, url, status: 'complete' }]);
    const { firstPages } = pages(t, chromium);
    firstPages.launched(launch, true);
    firstPages.lost();
    chromium.calls.length = 0;
    chromium.connect();
    await new Promise(setImmediate);
    t.same(chromium.calls, calls, url);
  }
});

t.test('clients are told of the page, not of the tab that waited', async t => {
  const chromium = browser();
  const { firstPages, told, swaps, swapped } = pages(t, chromium);
  const pageless = 1;
  const page = 2;
  chromium.extension.answer = async () => {
    swaps.offer('tabs.onCreated', [{ id: page }]);
    swaps.offer('tabs.onActivated', [{ tabId: page, windowId: 1 }]);
    swaps.offer('tabs.onHighlighted', [{ tabIds: [page], windowId: 1 }]);
    swaps.offer('tabs.onUpdated', [page, { status: 'loading' }]);
    swaps.offer('tabs.onRemoved', [pageless, {}]);
    return { opened: page, closed: [pageless] };
  };
  firstPages.launched(launch, true);
  swaps.offer('tabs.onUpdated', [pageless, { title: '' }]);
  chromium.connect();
  await swapped(1);
  swaps.offer('tabs.onUpdated', [pageless, {}]);
  const later = [
    ['tabs.onCreated', { id: 3 }],
    ['tabs.onActivated', { tabId: page, windowId: 1 }],
    ['tabs.onRemoved', page],
  ] as const;
  for (const [name, first] of later) swaps.offer(name, [first]);
  t.same(told.events, [['tabs.onUpdated', page], ...later]);
});

t.test('the next agent opens what its predecessor could not', async t => {
  const folder = t.testdir();
  const first = browser();
  first.extension.answer = () => new Promise(() => undefined);
  pages(t, first, folder).firstPages.launched(launch, true);
  const chromium = browser([{ id: 1, url: '', status: 'complete' }]);
  const { swapped } = pages(t, chromium, folder, launch);
  chromium.connect();
  await swapped(1);
  t.same(chromium.calls, FILLING);
});

t.test('a page that cannot be opened is told, and a tab without one that stays', async t => {
  const chromium = browser();
  const { firstPages, told, options } = pages(t, chromium);
  const { open } = options;
  options.open = () => Promise.reject(new Error('it does not answer'));
  firstPages.launched(launch, true);
  await until('it is told', () => told.failed === 1);
  t.equal(told.opened, 0);
  options.open = open;
  chromium.extension.answer = () => Promise.reject(new Error('no window'));
  chromium.connect();
  firstPages.launched(launch, true);
  await until('it is told', () => told.failed === 2);
});

t.test('nothing is told of a page that is no longer wanted', async t => {
  const { firstPages, told, options } = pages(t, browser());
  let isAborted = false;
  options.open = (_url, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        isAborted = true;
        reject(new Error('no longer wanted'));
      }),
    );
  firstPages.launched(launch, true);
  firstPages.stop();
  await new Promise(setImmediate);
  t.same([isAborted, told.failed, told.opened], [true, 0, 0]);
});
