import { EventEmitter } from 'node:events';
import t from 'tap';
import type { WebSocket } from 'ws';
import { ExtensionChannel } from '../../../src/agent/browser/extension/extension-channel.js';
import { forwardTabEvents } from '../../../src/agent/browser/tabs/tabs.js';
import { TabsDebugger } from '../../../src/agent/browser/files/tabs-debugger.js';
import { makeLog } from '../../../src/agent/lib/log.js';
import { EXTENSION_DEPTH_MAX, EXTENSION_MESSAGE_MAX } from '../../../src/protocol/extension.js';
import type { SessionEvent } from '../../../src/protocol/generated/schemas.js';
import { schemas } from '../../../src/protocol/generated/schemas.js';
import { TAB_EVENTS } from '../../../src/protocol/tabs.js';

const SECRET = 'the-secret-of-the-extension';

class FakeSocket extends EventEmitter {
  isOpen = true;
  readonly calls: { id: number; method: string; args: unknown[] }[] = [];

  send(text: string): void {
    this.calls.push(JSON.parse(text) as FakeSocket['calls'][number]);
  }

  terminate(): void {
    this.isOpen = false;
    this.emit('close');
  }

  /** The extension sends a message, or a text that is none. */
  says(message: unknown): void {
    this.emit('message', Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
  }
}

/** A channel, and a function that connects an extension to it. */
function channel() {
  const lines: string[] = [];
  const log = makeLog(line => void lines.push(line));
  const extension = new ExtensionChannel(SECRET, log);
  const open = () => {
    const socket = new FakeSocket();
    extension.open(socket as unknown as WebSocket);
    return socket;
  };
  const connect = () => {
    const socket = open();
    socket.says({ type: 'hello', secret: SECRET });
    return socket;
  };
  return { extension, log, lines, open, connect };
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const tabEvent = (name: string, ...args: unknown[]) => ({ type: 'event', name: `tabs.${name}`, args });
const updated = (text: string) => `{"type":"event","name":"tabs.onUpdated","args":[1,{"a":${text}},{}]}`;

t.test('only the extension that knows the secret is connected', async t => {
  const { extension, open, connect } = channel();
  for (const first of [
    { type: 'hello', secret: 'another' },
    { type: 'hello' },
    { type: 'hello', secret: SECRET, more: 1 },
    { type: 'alive' },
    tabEvent('onCreated', { id: 1 }),
    'nonsense',
  ]) {
    const socket = open();
    socket.says(first);
    t.notOk(socket.isOpen, JSON.stringify(first));
    t.notOk(extension.isConnected);
  }
  t.ok(connect().isOpen && extension.isConnected);
  extension.stop();
});

t.test('sockets that say nothing do not keep the extension out', async t => {
  const { extension, open, connect } = channel();
  const silent = Array.from({ length: 100 }, open);
  t.equal(silent.filter(({ isOpen }) => isOpen).length, 16);
  t.ok(connect().isOpen && extension.isConnected);
  extension.stop();
  silent.forEach(socket => socket.terminate());
});

t.test('bad messages are dropped and logged, and the extension stays connected', async t => {
  const { extension, lines, connect } = channel();
  const told: unknown[][] = [];
  const names = ['connected', 'debugger.onEvent', 'debugger.onDetach', ...TAB_EVENTS.map(name => `tabs.${name}`)];
  const socket = connect();
  for (const name of names) extension.on(name, args => told.push([name, args]));
  for (const bad of [
    '',
    'nonsense',
    '{"type":"event"',
    null,
    5,
    [],
    {},
    { type: 'other' },
    { type: 'alive', more: 1 },
    { type: 'event', name: 'connected', args: [] },
    { type: 'event', name: 'tabs.onOther', args: [] },
    { type: 'event', name: 'tabs.onCreated' },
    { type: 'event', name: 'tabs.onCreated', args: {} },
    { ...tabEvent('onCreated', { id: 1 }), more: 1 },
    tabEvent('onCreated'),
    tabEvent('onCreated', 1),
    tabEvent('onCreated', null),
    tabEvent('onCreated', { id: '1' }),
    tabEvent('onActivated', { tabId: 1 }, 2, 3, 4),
    tabEvent('onRemoved', '1', {}),
    tabEvent('onUpdated', 1.5, {}, {}),
    tabEvent('onUpdated', 1, 'loading', {}),
    { type: 'event', name: 'debugger.onDetach', args: [{ tabId: 'one' }, 'target_closed'] },
    { type: 'event', name: 'debugger.onEvent', args: [{ tabId: 1 }] },
    { type: 'event', name: 'debugger.onEvent', args: [{ tabId: 1 }, 5, {}] },
    { type: 'event', name: 'debugger.onEvent', args: [{ tabId: 1 }, 'Page.frameDetached', []] },
    { type: 'event', name: 'debugger.onEvent', args: [{ tabId: 1, sessionId: 7 }, 'Page.frameDetached', {}] },
    { type: 'result' },
    { type: 'result', id: '1' },
    { type: 'result', id: 0 },
    { type: 'result', id: 1, error: 5 },
    { type: 'result', id: 1, error: 'x'.repeat(4001) },
    updated(nested(EXTENSION_DEPTH_MAX)),
    updated(nested(200_000)),
    updated(`"${'x'.repeat(EXTENSION_MESSAGE_MAX)}"`),
  ])
    socket.says(bad);
  t.same(told, []);
  t.ok(socket.isOpen && extension.isConnected);
  const warnings = lines.filter(line => line.includes('extension message refused'));
  t.equal(warnings.length, 1, 'not one for each');
  t.notMatch(warnings[0], 'nonsense', 'nothing of what it said');

  socket.says(tabEvent('onRemoved', 3, { isWindowClosing: false }));
  socket.says({ type: 'event', name: 'debugger.onEvent', args: [{ tabId: 1 }, 'Page.frameDetached', null] });
  socket.says(updated(nested(EXTENSION_DEPTH_MAX - 4)));
  t.same(
    told.map(([name]) => name),
    ['tabs.onRemoved', 'debugger.onEvent', 'tabs.onUpdated'],
  );
  extension.stop();
});

t.test('every event of tabs is accepted with the arguments that Chrome gives it', async t => {
  const { extension, connect } = channel();
  const told: string[] = [];
  for (const name of TAB_EVENTS) extension.on(`tabs.${name}`, () => told.push(name));
  const socket = connect();
  const args: Record<(typeof TAB_EVENTS)[number], unknown[]> = {
    onActivated: [{ tabId: 1, windowId: 1 }],
    onCreated: [{ id: 1, index: 0, windowId: 1, title: '', url: 'about:blank', mutedInfo: { muted: false } }],
    onHighlighted: [{ tabIds: [1], windowId: 1 }],
    onMoved: [1, { windowId: 1, fromIndex: 0, toIndex: 1 }],
    onRemoved: [1, { windowId: 1, isWindowClosing: true }],
    onReplaced: [2, 1],
    onUpdated: [1, { status: 'loading' }, { id: 1 }],
    onZoomChange: [{ tabId: 1, oldZoomFactor: 1, newZoomFactor: 2, zoomSettings: { mode: 'automatic' } }],
  };
  for (const name of TAB_EVENTS) socket.says(tabEvent(name, ...args[name]));
  t.same(told, TAB_EVENTS);
  const { $defs } = schemas['extension.json'] as { $defs: { tab_event: { properties: { name: { enum: string[] } } } } };
  t.same(
    $defs.tab_event.properties.name.enum,
    TAB_EVENTS.map(name => `tabs.${name}`),
  );
  extension.stop();
});

t.test('answers reach their calls', async t => {
  const { extension, connect } = channel();
  const socket = connect();
  const value = extension.call('tabs.get', [1]);
  const refused = extension.call('tabs.get', [2]);
  socket.says({ type: 'result', id: 99, value: 'nobody asked' });
  socket.says({ type: 'result', id: 1, value: { id: 1 } });
  socket.says({ type: 'result', id: 2, error: 'No tab with id: 2.' });
  t.same(await value, { id: 1 });
  await t.rejects(refused, { code: 'tab_error', message: 'No tab with id: 2.' });
  extension.stop();
});

t.test('answers that are no tabs harm nobody', async t => {
  for (const value of [null, 5, 'tabs', {}, [null, 5, {}, { id: 'one' }]]) {
    const { extension, connect } = channel();
    const tabs = new TabsDebugger(extension);
    const socket = connect();
    const listed = tabs.tabs({});
    t.match(socket.calls, [{ id: 1, method: 'tabs.query' }]);
    socket.says({ type: 'result', id: 1, value });
    t.same(await listed, [], JSON.stringify(value));
    extension.stop();
  }
});

t.test('a burst of 1,000 events of tabs takes little time', async t => {
  const { extension, log, connect } = channel();
  const told: SessionEvent[] = [];
  const events = forwardTabEvents(extension, event => told.push(event), log);
  const socket = connect();
  const tab = {
    id: 1,
    index: 0,
    windowId: 1,
    title: 'A page',
    url: `https://example.com/${'x'.repeat(500)}`,
    active: true,
  };
  const texts = Array.from({ length: 1000 }, (_, i) =>
    JSON.stringify(tabEvent('onUpdated', 1, { title: `${i}` }, tab)),
  );
  const begun = process.cpuUsage();
  for (const text of texts) socket.says(text);
  const { user, system } = process.cpuUsage(begun);
  const ms = (user + system) / 1000;
  t.comment(`${ms.toFixed(1)} ms for 1,000 events`);
  t.ok(ms < 500, `${ms} ms`);
  t.equal(told.length, 100, 'the first ones are passed on at once');
  events.stop();
  extension.stop();
});
