import fc from 'fast-check';
import t from 'tap';
import { hasTabs } from '../../../src/agent/browser/profile/session-file.js';

const TAB_NAVIGATION = 6;
const MARKER = 255;

/** A session file with commands of these numbers. */
function sessionFile(...ids: number[]): Buffer {
  const header = Buffer.from('SNSS\x03\0\0\0', 'latin1');
  return Buffer.concat([header, ...ids.map(id => Buffer.of(3, 0, id, 0, 0))]);
}

t.test('a complete file with a page has tabs', async t => {
  t.equal(hasTabs(sessionFile(9, TAB_NAVIGATION, MARKER)), true);
});

t.test('one without a page, or a truncated one, has none', async t => {
  t.equal(hasTabs(sessionFile(9, MARKER)), false);
  t.equal(hasTabs(sessionFile(9, TAB_NAVIGATION)), false);
  t.equal(hasTabs(Buffer.alloc(0)), false);
  t.equal(hasTabs(Buffer.from('something else')), false);
});

t.test('no input makes it throw or hang', async t => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => void hasTabs(Buffer.concat([sessionFile(), bytes]))),
    { numRuns: 1000 },
  );
  t.pass();
});
