/** What is made of pictures and of what was seen of a program. */
import { encode } from 'fast-png';
import t from 'tap';
import { SIMILAR, similarity } from '../../../scripts/check-games/similarity.js';
import { contentOf, difference } from '../../../scripts/check-games/content.js';
import { readPng, scaled, trimmed, type Colour, type Picture } from '../../../scripts/check-games/picture.js';
import { verdictOf, type Trial } from '../../../scripts/check-games/result.js';

const BLACK: Colour = [0, 0, 0];
const BLUE: Colour = [32, 32, 248];
const WHITE: Colour = [255, 255, 255];

/** A picture of what a function says of each place, fractions of its width and height. */
function picture(width: number, height: number, at: (x: number, y: number) => Colour): Picture {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) data.set(at((i % width) / width, Math.floor(i / width) / height), i * 3);
  return { width, height, data };
}

/** The same picture with black around it. */
const framed = (inner: Picture, border: number) =>
  picture(inner.width + 2 * border, inner.height + 2 * border, (x, y) => {
    const column = Math.round(x * (inner.width + 2 * border)) - border;
    const row = Math.round(y * (inner.height + 2 * border)) - border;
    if (column < 0 || row < 0 || column >= inner.width || row >= inner.height) return BLACK;
    const from = (row * inner.width + column) * 3;
    return [inner.data[from]!, inner.data[from + 1]!, inner.data[from + 2]!];
  });

const plain = (colour: Colour) => picture(320, 240, () => colour);
/** Bars like lines of text: which of 24 are drawn is one bit each. */
const lines = (bits: number, width = 320, height = 240) =>
  picture(width, height, (x, y) =>
    (bits >> Math.floor(y * 24)) & 1 && x > 0.1 && x < 0.2 + ((Math.floor(y * 24) * 7) % 11) / 20 ? WHITE : BLUE,
  );

t.test('content: black, one colour within black borders, something', async t => {
  t.equal(contentOf(plain(BLACK)).is, 'black');
  t.equal(contentOf(plain([9, 8, 10])).is, 'black', 'the levels of an encoder’s black');
  t.equal(contentOf(framed(plain(BLUE), 20)).is, 'one colour');
  const text = contentOf(lines(0b1010));
  t.equal(text.is, 'content');
  t.ok(text.share > 0.01 && text.share < 0.2, `${text.share}`);
  t.equal(text.colours, 2);
  const dot = picture(320, 240, (x, y) => (x === 0.5 && y === 0.5 ? WHITE : BLACK));
  t.equal(contentOf(dot).is, 'black', 'a single pixel');
  const box = picture(320, 240, (x, y) => (x > 0.4 && x < 0.5 && y > 0.4 && y < 0.5 ? WHITE : BLACK));
  t.equal(contentOf(box).is, 'content', 'a small box on black');
});

t.test('difference: the share of pixels that changed', async t => {
  t.equal(difference(plain(BLUE), plain(BLUE)), 0);
  t.equal(difference(plain(BLUE), plain(WHITE)), 1);
  const half = picture(320, 240, x => (x < 0.5 ? BLUE : WHITE));
  t.ok(Math.abs(difference(plain(BLUE), half) - 0.5) < 0.02);
});

t.test('similarity: sizes, borders and small shifts are ignored, content is not', async t => {
  const reference = lines(0b110100101001101010101);
  t.ok(similarity(reference, lines(0b110100101001101010101, 640, 480)) > 0.95, 'another size');
  t.ok(similarity(reference, framed(reference, 24)) > 0.9, 'black borders');
  const others = similarity(reference, lines(0b001011010110010101010));
  t.ok(others < SIMILAR, `other lines: ${others}`);
  t.ok(similarity(reference, plain(BLUE)) < SIMILAR, 'the background alone');
  t.ok(similarity(reference, plain(BLACK)) < SIMILAR, 'nothing');
  t.ok(similarity(plain(BLACK), plain(BLACK)) > SIMILAR);
  t.ok(similarity(plain(BLUE), framed(plain(BLUE), 4)) > SIMILAR, 'one colour, with a thin border');
  t.ok(similarity(plain(BLUE), plain(WHITE)) < SIMILAR);
});

t.test('pictures: trimmed, scaled, and read from several forms of PNG', async t => {
  const trim = trimmed(framed(lines(5, 100, 80), 7), BLACK);
  t.match(trim, { width: 100, height: 80 });
  t.equal(trimmed(plain(BLACK), BLACK), null);
  t.same([...scaled(plain(BLUE), 2, 1).data], [...BLUE, ...BLUE]);
  const read = (channels: 1 | 2 | 3 | 4, levels: number[]) => [
    ...readPng(encode({ width: 1, height: 1, channels, depth: 8, data: Uint8Array.from(levels) })).data,
  ];
  t.same(read(1, [7]), [7, 7, 7]);
  t.same(read(2, [200, 0]), [0, 0, 0]);
  t.same(read(3, [1, 2, 3]), [1, 2, 3]);
  t.same(read(4, [1, 2, 3, 255]), [1, 2, 3]);
  t.throws(() => readPng(Buffer.from('BM and so on')), { message: 'it is a BMP, not a PNG' });
  t.throws(() => readPng(Buffer.from('')), { message: 'it is no picture, not a PNG' });
});

t.test('verdicts', async t => {
  const content = { is: 'content', share: 0.3, colours: 5 } as const;
  const black = { is: 'black', share: 0, colours: 1 } as const;
  const blue = { is: 'one colour', share: 0, colours: 1 } as const;
  const trial: Trial = {
    ended: null,
    hasRun: true,
    restarts: 0,
    contents: [black, content],
    moved: 0,
    fps: 60,
    peak: 0,
    similarity: null,
    report: null,
  };
  const cases: [Partial<Trial>, string][] = [
    [{}, 'plays'],
    [{ contents: [black] }, 'black'],
    [{ contents: [] }, 'black'],
    [{ contents: [black], peak: 0.01 }, 'black'],
    [{ contents: [black], peak: 0.3 }, 'sounds'],
    [{ contents: [black], peak: 0.3, similarity: 0.1 }, 'black'],
    [{ contents: [blue, blue] }, 'black'],
    [{ contents: [blue, blue], moved: 1 }, 'plays'],
    [{ similarity: 0.9 }, 'plays'],
    [{ similarity: 0.2 }, 'differs'],
    [{ contents: [blue], similarity: 0.95 }, 'plays'],
    [{ contents: [black], similarity: 0.1 }, 'black'],
    [{ ended: { reason: 'failed', message: 'This is not a game.' }, hasRun: false }, 'refused'],
    [{ ended: { reason: 'crashed', message: '' } }, 'crashed'],
    [{ ended: { reason: 'hung', message: '' }, hasRun: false }, 'hung'],
    [{ ended: { reason: 'unavailable', message: '503' }, hasRun: false }, 'failed'],
  ];
  for (const [change, verdict] of cases) t.equal(verdictOf({ ...trial, ...change }), verdict, JSON.stringify(change));
});
