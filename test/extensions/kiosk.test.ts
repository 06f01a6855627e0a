import t, { type Test } from 'tap';
import { Kiosk } from '../../src/extensions/internal/kiosk.js';
import { until } from '../fixtures/until.js';

interface Tab {
  id: number;
  windowId: number;
  url: string;
  active: boolean;
  openerTabId?: number;
  pendingUrl?: string;
}

/** A browser whose first tab shows a page, in window 1. It rejects the next changes of tabs that `busy` counts. */
function browser(t: Test) {
  const tabs = new Map<number, Tab>([[1, { id: 1, windowId: 1, url: 'https://example.com/', active: true }]]);
  const listeners: Record<string, (...args: unknown[]) => void> = {};
  const on = (name: string) => ({ addListener: (listener: () => void) => (listeners[name] = listener) });
  const state = { busy: 0 };
  const change = (id: number, act: (tab: Tab) => void) => {
    if (state.busy-- > 0) throw new Error('Tabs cannot be edited right now (user may be dragging a tab).');
    const tab = tabs.get(id);
    if (tab === undefined) throw new Error(`No tab with id: ${id}.`);
    act(tab);
  };
  const all = () => [...tabs.values()];
  const chrome = {
    runtime: { getURL: () => 'data:application/json,{"kiosk":true}' },
    tabs: {
      ...{ onCreated: on('created'), onUpdated: on('updated'), onRemoved: on('removed') },
      get: async (id: number) => tabs.get(id),
      remove: async (id: number) => change(id, () => (tabs.delete(id), listeners['removed']?.(id))),
      move: async (id: number, { windowId }: { windowId: number }) => change(id, tab => (tab.windowId = windowId)),
      update: async (id: number, update: Partial<Tab>) => Object.assign(tabs.get(id) ?? {}, update),
    },
    windows: {
      getAll: async () =>
        [...new Set(all().map(({ windowId }) => windowId))].map(id => ({
          id,
          tabs: all().filter(({ windowId }) => windowId === id),
        })),
    },
  };
  Object.assign(globalThis, { chrome });
  t.teardown(() => Reflect.deleteProperty(globalThis, 'chrome'));
  new Kiosk();
  return {
    state,
    addresses: () => all().map(({ windowId, url }) => [windowId, url]),
    opens: (tab: Tab) => {
      tabs.set(tab.id, tab);
      listeners['created']?.({ ...tab });
    },
    shows: (id: number, url: string) => {
      Object.assign(tabs.get(id) ?? {}, { url });
      listeners['updated']?.(id, { url });
    },
  };
}

const START = [1, 'https://example.com/'];
const settled = () => new Promise(resolve => setTimeout(resolve, 50));

t.test("Chromium's own pages are closed", async t => {
  const { opens, addresses } = browser(t);
  opens({ id: 2, windowId: 2, url: 'chrome://newtab/', active: true });
  await until('it is closed', () => addresses().length === 1);
  t.same(addresses(), [START]);
});

t.test('so are those whose address comes late', async t => {
  const { opens, shows, addresses } = browser(t);
  opens({ id: 2, windowId: 2, url: '', active: true });
  opens({ id: 3, windowId: 1, url: '', active: false, openerTabId: 1 });
  await settled();
  t.equal(addresses().length, 3);
  shows(2, 'chrome://newtab/');
  shows(3, 'view-source:https://example.com/');
  await until('they are closed', () => addresses().length === 1);
  t.same(addresses(), [START]);
});

t.test('Chromium may be busy with its tabs meanwhile', async t => {
  const { opens, state, addresses } = browser(t);
  state.busy = 2;
  opens({ id: 2, windowId: 1, url: '', pendingUrl: 'chrome://history/', active: true });
  await until('it is closed', () => addresses().length === 1);
  t.same(addresses(), [START]);
});

t.test('what pages open is shown in their own tab, also if its address comes late', async t => {
  const { opens, shows, addresses } = browser(t);
  opens({ id: 2, windowId: 1, url: '', pendingUrl: 'https://example.org/', active: true, openerTabId: 1 });
  await until('it is there', () => addresses().join() === '1,https://example.org/');
  opens({ id: 3, windowId: 1, url: '', active: true, openerTabId: 1 });
  await settled();
  shows(3, 'https://example.net/');
  await until('it is there, too', () => addresses().join() === '1,https://example.net/');
  t.equal(addresses().length, 1);
});

t.test('a tab with a page that no page has opened stays', async t => {
  const { opens, addresses } = browser(t);
  opens({ id: 2, windowId: 1, url: 'https://example.org/', active: true });
  await settled();
  t.same(addresses(), [START, [1, 'https://example.org/']]);
});
