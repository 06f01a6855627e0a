import t from 'tap';
import { encodeInput } from '../../../src/protocol/input.js';
import { CLIPBOARD_MAX_BYTES, MessageType } from '../../../src/protocol/message-type.js';
import { RecentUse } from '../../../src/web/media/recent-use.js';
import { SessionInput } from '../../../src/web/sdk/input/session-input.js';
import type { View } from '../../../src/web/sdk/view/view.js';

const KEY = { type: 'key', down: true, keysym: 0x61 } as const;

/** Input that comes from a page alone, and what it sends. */
function pageInput() {
  const sent: (Uint8Array | string)[] = [];
  const use = new RecentUse();
  const connection = { send: (message: Uint8Array | string) => sent.push(message) > 0 };
  return { input: new SessionInput({} as View, { disableInput: true }, connection, use), sent, use };
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

t.test('text for the clipboard is sent unless it is too large', async t => {
  const { input, sent } = pageInput();
  input.setClipboard('a'.repeat(CLIPBOARD_MAX_BYTES + 1));
  t.same(sent, []);
  input.setClipboard('a'.repeat(CLIPBOARD_MAX_BYTES));
  t.equal(sent[0]?.[0], MessageType.clipboard);
});
