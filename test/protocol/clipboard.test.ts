import t from 'tap';
import { copy, decodeContent, encodeContent, encodeTextOf, isPicture } from '../../src/protocol/clipboard.js';
import { toHelper } from '../../src/protocol/display-helper.js';
import { CLIPBOARD_MAX_BYTES, PICTURE_MAX_BYTES } from '../../src/protocol/message-type.js';
import { pngOf as png } from '../fixtures/media/png.js';

const none = new Uint8Array();

t.test('content is decoded as it was encoded', async t => {
  for (const content of [
    { text: 'né €', html: '<b>né</b> €', picture: png(2, 3) },
    { text: '', html: '', picture: png(1, 1) },
    { text: 'a', html: '', picture: none },
  ]) {
    t.same(decodeContent(encodeContent(content)), content);
    t.same(decodeContent(encodeContent(content, 4), 4), content, 'after an envelope');
  }
});

t.test('what is no content is refused', async t => {
  const body = (textSize: number, htmlSize: number, bytes: Uint8Array) =>
    decodeContent(toHelper.content.encode({ textSize, htmlSize }, 0, bytes));
  t.equal(body(0, 0, none), null, 'nothing');
  t.equal(body(2, 0, Uint8Array.of(0x61)), null, 'less than it says');
  t.equal(body(2, 0, Uint8Array.of(0xc3, 0x28)), null, 'text that is not UTF-8');
  t.equal(body(0, 2, Uint8Array.of(0xc3, 0x28)), null, 'HTML that is not UTF-8');
  t.equal(body(0, 0, Uint8Array.of(1, 2, 3)), null, 'a picture that is none');
  const large = CLIPBOARD_MAX_BYTES + 1;
  t.equal(body(large, 0, new Uint8Array(large)), null, 'too much text');
  t.equal(body(0, large, new Uint8Array(large)), null, 'too much HTML');
});

t.test('pictures are PNG of bounded sizes', async t => {
  t.ok(isPicture(png(8192, 8192)));
  t.notOk(isPicture(png(8192, 8193)), 'too many pixels');
  t.notOk(isPicture(png(0, 1)));
  t.notOk(isPicture(png(1, 1).subarray(0, 20)), 'cut off');
  t.notOk(isPicture(Buffer.concat([png(1, 1), Buffer.alloc(PICTURE_MAX_BYTES)])), 'too large');
  t.notOk(isPicture(new TextEncoder().encode('GIF89a'.padEnd(40))));
});

t.test('sessions that take text only get that', async t => {
  const text = (content: Parameters<typeof encodeContent>[0]) =>
    Buffer.from(toHelper.clipboard.bodyOf(encodeTextOf(encodeContent(content)))).toString();
  t.equal(text({ text: 'a', html: '<b>a</b>', picture: none }), 'a');
  t.equal(text({ text: '', html: '', picture: png(1, 1) }), '', 'or nothing, so that nothing old is pasted');
});

t.test('a copy names its picture by number', async t => {
  const bytes = copy.encode({ picture: 7, pictureSize: 99, textSize: 1 }, 0, new TextEncoder().encode('a<b>a</b>'));
  t.same(copy.decode(bytes), { picture: 7, pictureSize: 99, textSize: 1 });
});
