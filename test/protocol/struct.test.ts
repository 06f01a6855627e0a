import fc from 'fast-check';
import t from 'tap';
import { bool, i16, Message, u16, u32, u64, u8 } from '../../src/protocol/struct.js';

const all = new Message(0x7f, { a: u8, b: u16, c: u32, d: u64, e: i16, f: bool });
const values = { a: 1, b: 0x2345, c: 0x6789abcd, d: 0x1122334455667788n, e: -2, f: true };
const bytes = [
  0x7f, 1, 0x45, 0x23, 0xcd, 0xab, 0x89, 0x67, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0xfe, 0xff, 1,
];

t.test('fields are packed in order, little-endian', async t => {
  t.same([...all.encode(values)], bytes);
  t.same(all.decode(Uint8Array.from(bytes)), values);
  t.equal(all.bytes, 19);
  t.same(
    all.layout.map(({ name, at }) => [name, at]),
    [
      ['a', 1],
      ['b', 2],
      ['c', 4],
      ['d', 8],
      ['e', 16],
      ['f', 18],
    ],
  );
});

t.test("space is left for a prefix, such as a user's number", async t => {
  t.same([...all.encode(values, 4)], [0, 0, 0, 0, ...bytes]);
  t.same(all.decode(Uint8Array.from([9, 9, 9, 9, ...bytes]), 4), values);
});

t.test('a view of a larger buffer is decoded from its offset', async t => {
  t.same(all.decode(Uint8Array.from([1, 2, 3, ...bytes]).subarray(3)), values);
});

t.test('another type, size or value does not match', async t => {
  t.equal(all.decode(Uint8Array.from([0x7e, ...bytes.slice(1)])), null);
  t.equal(all.decode(Uint8Array.from(bytes.slice(0, -1))), null);
  t.equal(all.decode(Uint8Array.from([...bytes, 0])), null);
  t.equal(all.decode(Uint8Array.from([...bytes.slice(0, -1), 2])), null);
  t.equal(all.decode(new Uint8Array()), null);
  t.equal(all.decode(Uint8Array.from(bytes), bytes.length + 1), null);
});

t.test('a body may follow if declared', async t => {
  const message = new Message(1, { a: u8 }, 'text');
  t.same(message.decode(Uint8Array.of(1, 2)), { a: 2 });
  t.same(message.decode(Uint8Array.of(1, 2, 3, 4)), { a: 2 });
  t.equal(message.decode(Uint8Array.of(1)), null);
});

t.test('a signed integer out of range is clamped', async t => {
  const message = new Message(1, { a: i16, b: i16 });
  t.same(message.decode(message.encode({ a: 40_000, b: -40_000 })), { a: 32767, b: -32768 });
});

t.test('what is encoded can be decoded again', async t => {
  const any = fc.record(
    {
      a: fc.integer({ min: 0, max: 0xff }),
      b: fc.integer({ min: 0, max: 0xffff }),
      c: fc.integer({ min: 0, max: 0xffffffff }),
      d: fc.bigInt({ min: 0n, max: 0xffffffffffffffffn }),
      e: fc.integer({ min: -32768, max: 32767 }),
      f: fc.boolean(),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(any, fc.nat(9), (values, before) => t.same(all.decode(all.encode(values, before), before), values)),
  );
});
