import t from 'tap';
import { openFirstPages, pageToOpen, WAITING_PAGE } from '../../../src/agent/browser/launch/first-page.js';
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
    ['a tab that was opened empty', { url: '', status: 'complete' }, undefined],
  ];
  for (const [what, tab, opened] of cases) t.equal(pageToOpen({ id: 1, ...tab }, START), opened, what);
});

t.test('they are replaced each time the browser has started', async t => {
  const calls: unknown[][] = [];
  let connected: (args: readonly unknown[]) => void = () => undefined;
  const extension = {
    on: (_event: string, handler: typeof connected) => void (connected = handler),
    call: async (method: string, args: readonly unknown[]) => {
      if (method === 'tabs.query')
        return [
          { id: 1, url: WAITING_PAGE },
          { id: 2, url: START },
          { id: 3, url: '', pendingUrl: 'https://a.example/', status: 'complete' },
        ];
      calls.push([method, ...args]);
      return null;
    },
  };
  openFirstPages(extension, { start_url: START, kiosk: false, webgl: false, dark: false }, log);
  for (const times of [1, 2]) {
    connected([]);
    await until('both are opened', () => calls.length === 2 * times);
    t.same(calls.slice(-2), [
      ['tabs.update', 1, { url: START }],
      ['tabs.update', 3, { url: 'https://a.example/' }],
    ]);
  }
});
