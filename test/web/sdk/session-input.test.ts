import t from 'tap';
import { encodeInput } from '../../../src/protocol/input.js';
import { RecentUse } from '../../../src/web/media/recent-use.js';
import { SessionInput } from '../../../src/web/sdk/input/session-input.js';
import { until } from '../../fixtures/until.js';
import type { View } from '../../../src/web/sdk/view/view.js';

const KEY = { type: 'key', down: true, keysym: 0x61 } as const;

/** Input that comes from a page alone, and what it sends. */
function pageInput(menu?: Promise<void>) {
  const sent: (Uint8Array | string)[] = [];
  const use = new RecentUse();
  const connection = { send: (message: Uint8Array | string) => sent.push(message) > 0 };
  const clipboard = { paste: () => true, pasteRead: () => Promise.resolve(true), beforeMenu: () => menu };
  return { input: new SessionInput({} as View, { disableInput: true }, connection, use, clipboard), sent, use };
}

t.test('input is sent while the session takes it, and counts as use', async t => {
  const { input, sent, use } = pageInput();
  input.send(KEY);
  t.same(sent, [], 'too early');
  t.notOk(use.isRecent(performance.now()));
  input.isOpen = true;
  input.send(KEY);
  t.same(sent, [encodeInput(KEY)]);
  t.ok(use.isRecent(performance.now()));
});

t.test('what is held is released at any time', async t => {
  const { input, sent } = pageInput();
  input.send({ type: 'release' });
  t.same(sent, [encodeInput({ type: 'release' })]);
});

t.test('a right click waits for the clipboard, and what follows waits for the click', async t => {
  let brought = () => {};
  const { input, sent } = pageInput(new Promise(resolve => (brought = resolve)));
  input.isOpen = true;
  const click = { type: 'button', button: 2, down: true, x: 0, y: 0 } as const;
  const all = [click, { ...click, down: false }, KEY] as const;
  for (const event of all) input.send(event);
  t.same(sent, []);
  brought();
  await until('all are sent', () => sent.length === 3);
  t.same(sent, all.map(encodeInput));
});
