import t from 'tap';
import { decodeRuns, PatchPainter } from '../../../src/web/media/video/patch-painter.js';
import { withImageData } from '../../fixtures/media/image-data.js';

/** A canvas that notes what is put onto it, as colours of the pixels: blue, green, red. */
function canvas() {
  const put: { x: number; y: number; width: number; pixels: number[] }[] = [];
  const context = {
    putImageData: ({ data, width }: ImageData, x: number, y: number) => {
      const pixels = [...new Uint32Array(data.buffer, 0, data.length / 4)].map(pixel => pixel & 0xffffff);
      put.push({ x, y, width, pixels });
    },
  };
  return { put, painter: new PatchPainter(context as unknown as CanvasRenderingContext2D) };
}

t.before(() => withImageData(t));

/** What the runs make of two pixels; null: they do not make two. */
function two(...runs: number[]): number[] | null {
  const pixels = new Uint32Array(2);
  return decodeRuns(Uint8Array.from(runs), pixels) ? [...pixels] : null;
}

t.test('runs of equal pixels', async t => {
  t.same(two(2, 1, 2, 3), [0xff030201, 0xff030201]);
  t.same(two(1, 1, 2, 3, 1, 0xff, 0xfe, 0xfd), [0xff030201, 0xfffdfeff]);
  const many = new Uint32Array(300_000);
  t.ok(decodeRuns(Uint8Array.of(0xe0, 0xa7, 0x12, 9, 9, 9), many), 'counts are in LEB128');
  t.ok(many.every(pixel => pixel === 0xff090909));
});

t.test('runs that do not make exactly the pixels are refused', async t => {
  for (const [what, ...runs] of [
    ['none'],
    ['too few', 1, 1, 2, 3],
    ['too many', 3, 1, 2, 3],
    ['one behind the last', 2, 1, 2, 3, 1, 1, 2, 3],
    ['an empty one', 0, 1, 2, 3, 2, 1, 2, 3],
    ['half a colour', 2, 1, 2],
    ['half a count', 1, 1, 2, 3, 0x81],
    ['a count without an end', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3],
  ] as const) {
    t.equal(two(...runs), null, what);
  }
});

t.test('a patch is painted where it belongs, in memory that is used again', async t => {
  const { put, painter } = canvas();
  painter.paint({ frame: 1, x: 5, y: 6, width: 2, height: 2, runs: Uint8Array.of(3, 1, 0, 0, 1, 2, 0, 0) });
  painter.paint({ frame: 2, x: 7, y: 8, width: 1, height: 2, runs: Uint8Array.of(2, 3, 0, 0) });
  t.same(put, [
    { x: 5, y: 6, width: 2, pixels: [1, 1, 1, 2] },
    { x: 7, y: 8, width: 1, pixels: [3, 3] },
  ]);
});

t.test('one whose runs are wrong is not painted', async t => {
  const { put, painter } = canvas();
  painter.paint({ frame: 1, x: 0, y: 0, width: 2, height: 2, runs: Uint8Array.of(3, 1, 0, 0) });
  t.same(put, []);
});
