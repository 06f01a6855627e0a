import t from 'tap';
import { Windows } from '../../../src/agent/browser/windows/windows.js';
import { fromHelper, toHelper, USER_BYTES } from '../../../src/protocol/display-helper.js';
import type { FromAgent, SessionWindow } from '../../../src/protocol/generated/schemas.js';
import { validator } from '../../../src/protocol/validation.js';

const isFromAgent = validator('link.json#/$defs/from_agent');

interface Shown {
  id: number;
  title?: string;
  kind?: number;
  active?: boolean;
}

/** Windows, and what they are told by the helper and tell it. */
function setUp() {
  const told: FromAgent[] = [];
  const sent: Uint8Array[] = [];
  const windows = new Windows({ send: body => void sent.push(body), tell: message => void told.push(message) });
  const part = (count: number, index: number, { id, title = '', kind = 0, active = false }: Shown) => {
    const place = { x: -3, y: 4, width: 500, height: 400 };
    const head = fromHelper.window.encode({ count, index, id, kind, active, ...place }, USER_BYTES);
    windows.take(Buffer.concat([head, Buffer.from(title)]));
  };
  const show = (...all: Shown[]) => {
    if (all.length === 0) part(0, 0, { id: 0 });
    all.forEach((each, i) => part(all.length, i, each));
  };
  const lists = () => told.flatMap(message => (message.type === 'windows' ? [message.windows] : []));
  return {
    windows,
    told,
    sent,
    part,
    show,
    titles: () =>
      lists()
        .at(-1)
        ?.map(({ title }: SessionWindow) => title),
    lists,
  };
}

t.test('a list is told when it is complete, and to each new link', async t => {
  const { windows, told, part, show, lists } = setUp();
  t.same(windows.current, []);
  part(2, 0, { id: 7, title: 'Example - Chromium', active: true });
  t.same(told, []);
  part(2, 1, { id: 9, title: 'Sign in - Chromium', kind: 1 });
  const place = { x: -3, y: 4, width: 500, height: 400 };
  const list = [
    { id: 7, kind: 'browser', title: 'Example', active: true, ...place },
    { id: 9, kind: 'popup', title: 'Sign in', active: false, ...place },
  ];
  t.same(lists(), [list]);
  t.same(windows.current, [{ type: 'windows', windows: list }]);
  t.same(windows.calls['windows.list'](), list);
  t.ok(isFromAgent(told[0]).ok);
  show();
  t.same(lists().at(-1), []);
});

t.test('a list that breaks off is not told, nor are unknown kinds and parts out of turn', async t => {
  const { windows, part, show, lists } = setUp();
  part(3, 0, { id: 1 });
  part(3, 2, { id: 3 });
  part(65, 0, { id: 1 });
  windows.take(Buffer.from([0, 0, 0, 0, 0x0f, 1]));
  show({ id: 5, kind: 99 });
  t.same(lists(), []);
  show({ id: 4 });
  t.match(lists(), [[{ id: 4 }]]);
});

t.test('titles hold nothing that cannot be shown', async t => {
  const { show, titles, told } = setUp();
  show(
    { id: 1, title: 'a\u202eb\u0000\u0007c\n\u2028d – Chromium' },
    { id: 2, title: ' \u200f ' },
    { id: 3, title: '"<b>' },
  );
  t.same(titles(), ['a b c d', '', '"<b>']);
  show({ id: 1, title: '\u00e9'.repeat(128) });
  t.ok(told.every(message => isFromAgent(message).ok));
});

t.test('calls are carried out by the helper, and answered when their effect is seen', async t => {
  const { windows, sent, show } = setUp();
  const { calls } = windows;
  show({ id: 1, active: true }, { id: 2, kind: 1 });
  let isDone = false;
  const activated = Promise.resolve(calls['windows.activate'](2)).then(() => (isDone = true));
  t.same(sent, [toHelper.activateWindow.encode({ id: 2 }, USER_BYTES)]);
  await new Promise(setImmediate);
  t.notOk(isDone);
  show({ id: 1 }, { id: 2, kind: 1, active: true });
  await activated;
  await calls['windows.activate'](2);
  t.equal(sent.length, 1, 'it is already');

  const bounds = { x: 10, y: 20, width: 300, height: 200 };
  const placed = calls['windows.setBounds'](2, bounds);
  t.same(sent[1], toHelper.placeWindow.encode({ id: 2, ...bounds }, USER_BYTES));
  const closed = calls['windows.close'](2);
  t.same(sent[2], toHelper.closeWindow.encode({ id: 2 }, USER_BYTES));
  show({ id: 1, active: true });
  await Promise.all([placed, closed]);
});

t.test('a window that asks whether to close holds up its call for a second', async t => {
  const { windows, show } = setUp();
  show({ id: 1 });
  const began = performance.now();
  await windows.calls['windows.close'](1);
  t.ok(performance.now() - began > 900);
});

t.test('windows that are not there, or fill the display, are refused', async t => {
  const { windows, sent, show } = setUp();
  const { calls } = windows;
  const bounds = { x: 0, y: 0, width: 300, height: 200 };
  for (const call of [
    async () => calls['windows.activate'](1),
    async () => calls['windows.close'](1),
    async () => calls['windows.setBounds'](1, bounds),
  ])
    await t.rejects(call(), { code: 'window_not_found' });
  show({ id: 1 });
  await t.rejects(async () => calls['windows.setBounds'](1, bounds), { code: 'not_supported' });
  t.same(sent, []);
});
