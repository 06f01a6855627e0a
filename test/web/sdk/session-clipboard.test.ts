import t from 'tap';
import { decodeContent } from '../../../src/protocol/clipboard.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { ENGLISH_TEXTS } from '../../../src/web/languages/texts.js';
import { SessionClipboard } from '../../../src/web/sdk/clipboard/session-clipboard.js';

Object.assign(globalThis, { document: { hasFocus: () => true } });

/** The clipboard of a session, what is sent to it, and what the viewer is told. */
function clipboardOf({ kind = 'chromium', takes = true }: { kind?: 'chromium' | 'android'; takes?: boolean } = {}) {
  const [sent, told]: [string[], string[]] = [[], []];
  const clipboard = new SessionClipboard({
    send: message => {
      const content = message[0] === MessageType.content ? decodeContent(message) : null;
      const text = new TextDecoder().decode(message.subarray(1));
      sent.push(content === null ? text : `${content.text}|${content.html}`);
    },
    upload: () => Promise.resolve(),
    tell: sentence => told.push(sentence(ENGLISH_TEXTS)),
  });
  clipboard.welcome({ kind, clipboard_content: takes });
  return { clipboard, sent, told };
}

/** What a paste event has. */
function pasted(text: string, html = '', files: { type: string }[] = [], others: string[] = []): DataTransfer {
  const types = [
    ...(text ? ['text/plain'] : []),
    ...(html ? ['text/html'] : []),
    ...(files.length ? ['Files'] : []),
    ...others,
  ];
  const getData = (type: string) => (type === 'text/plain' ? text : html);
  return { getData, files, types } as unknown as DataTransfer;
}

t.test('the newer clipboard is pasted', async t => {
  const { clipboard, sent } = clipboardOf();
  clipboard.copied();
  t.equal(clipboard.paste(pasted('of the viewer')), true);
  t.same(sent, [], 'the session’s: it was copied while the page had the focus');
  clipboard.left();
  t.equal(clipboard.paste(pasted('of the viewer')), true);
  t.same(sent.splice(0), ['of the viewer'], 'the viewer’s, which may have been copied elsewhere');
  clipboard.copied();
  t.equal(clipboard.paste(pasted('of the viewer')), true);
  t.same(sent, [], 'the session’s: the viewer’s is what it was');
  t.equal(clipboard.paste(pasted('new')), true);
  t.same(sent.splice(0), ['new'], 'the viewer’s: it has changed');
  clipboard.copied({ text: 'copied', html: '' });
  t.equal(clipboard.paste(pasted('copied')), true);
  t.same(sent, [], 'the session’s, which is on the viewer’s');
  t.equal(clipboard.paste(pasted('')), true);
  t.same(sent, [], 'the session’s');
});

t.test('an empty clipboard pastes nothing of before', async t => {
  const { clipboard, sent } = clipboardOf();
  void clipboard.paste(pasted('text'));
  t.equal(clipboard.paste(pasted('')), true);
  t.same(sent, ['text', '']);
});

t.test('HTML goes with its text, to sessions that take it', async t => {
  const { clipboard, sent } = clipboardOf();
  void clipboard.paste(pasted('né', '<b>né</b>'));
  void clipboard.paste(pasted('né', `<b>${'x'.repeat(1 << 20)}</b>`));
  t.same(sent, ['né|<b>né</b>', 'né'], 'unless it is too long');
  const plain = clipboardOf({ takes: false });
  void plain.clipboard.paste(pasted('né', '<b>né</b>'));
  t.same(plain.sent, ['né']);
});

t.test('what cannot be pasted is told, and older copies of the session are not pasted after it', async t => {
  const { clipboard, sent, told } = clipboardOf();
  clipboard.copied();
  clipboard.left();
  t.equal(clipboard.paste(pasted('x'.repeat((1 << 20) + 1))), false);
  t.match(told.pop(), /takes 1 MiB/);
  t.equal(clipboard.paste(pasted('report.pdf', '', [{ type: 'application/pdf' }])), false);
  t.match(told.pop(), /Files cannot be pasted/);
  t.equal(clipboard.paste(pasted('', '', [], ['application/x-other'])), false);
  t.match(told.pop(), /cannot be pasted/);
  void clipboard.paste(pasted('text'));
  t.same(sent, ['text']);

  const android = clipboardOf({ kind: 'android', takes: false });
  t.equal(android.clipboard.paste(pasted('x'.repeat(256 << 10))), false);
  t.match(android.told, [/262,130 B/]);
  t.equal(android.clipboard.paste(pasted('', '', [{ type: 'image/png' }])), false);
  t.match(android.told[1], /text only/);
});
