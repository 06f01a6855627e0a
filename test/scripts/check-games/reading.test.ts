/** What programs write about their tests, read from their pictures. */
import { encode } from 'fast-png';
import t from 'tap';
import { CHARACTER, isSet } from '../../../scripts/check-games/font.js';
import { Reader, reportIn } from '../../../scripts/check-games/reading.js';

// A library of tesseract.js sets it when it is imported.
t.teardown(() => Reflect.deleteProperty(globalThis, 'regeneratorRuntime'));

/** A screen of 640x480 with lines of text, white on blue. */
function screen(lines: readonly string[]): Buffer {
  const [width, height, scale] = [640, 480, 2];
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [Math.floor(((i % width) - 48) / scale), Math.floor((i / width - 48) / scale)];
    const row = Math.floor(y / 10);
    const line = x >= 0 && y >= 0 ? (lines[row] ?? '') : '';
    const isText = x < line.length * CHARACTER.width && isSet(line, x, y - row * 10);
    data.set(isText ? [255, 255, 255] : [0, 0, 160], i * 3);
  }
  return Buffer.from(encode({ width, height, data, channels: 3, depth: 8 }));
}

t.test('the words of results are counted, whatever is around them', async t => {
  t.same(reportIn('01-implied\n\nPassed'), { passed: 1, failed: 0 });
  t.same(reportIn('$00 0011 PASS\n$FF 1100 FAIL\n$80 1000 PASS'), { passed: 2, failed: 1 });
  t.same(reportIn('Failed #3'), { passed: 0, failed: 1 });
  t.equal(reportIn('PRESS START\nby passing the gate without failure'), null);
  t.equal(reportIn(''), null);
});

t.test('they are read from a picture where the text is plain', async t => {
  const reader = await Reader.open();
  t.teardown(() => reader.close());
  const rows = ['CPU TEST: ADD', '', '$00 | 0011 | PASS', '$7F | 1100 | PASS', '$80 | 0110 | FAIL'];
  t.same(await reader.read(screen(rows)), { passed: 2, failed: 1 });
  t.same(await reader.read(screen(['02-branch timing', '', 'Passed'])), { passed: 1, failed: 0 });
  t.equal(await reader.read(screen(['HELLO, WORLD!'])), null);
  t.equal(await reader.read(screen([])), null);
});
