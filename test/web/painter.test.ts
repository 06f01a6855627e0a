import t from 'tap';
import { Painter } from '../../src/web/media/video/painter.js';

const fit = () => undefined;

/** A picture as decoders give it. */
const picture = (format: string, copyTo: () => Promise<unknown> = () => Promise.resolve([{}])) =>
  ({ format, visibleRect: { width: 2, height: 2 }, copyTo }) as unknown as VideoFrame;

/** A canvas on which drawing a picture takes `ms`; notes what it is asked for. */
function canvas(ms: number) {
  const asked: string[] = [];
  const context = {
    drawImage: () => {
      asked.push('draw');
      for (const end = performance.now() + ms; performance.now() < end;);
    },
    putImageData: () => asked.push('put'),
  };
  return { asked, painter: new Painter(context as unknown as CanvasRenderingContext2D) };
}

t.before(() => {
  t.teardown(() => Reflect.deleteProperty(globalThis, 'ImageData'));
  globalThis.ImageData ??= class {
    readonly data = new Uint8ClampedArray();
    constructor(
      readonly width: number,
      readonly height: number,
    ) {}
  } as unknown as typeof ImageData;
});

t.test('where drawing is fast, pictures are drawn', async t => {
  const { asked, painter } = canvas(0);
  for (let i = 0; i < 6; i++) await painter.paint(picture('I420'), fit);
  t.strictSame(asked, Array(6).fill('draw'));
});

t.test('where drawing is slow, pictures are copied', async t => {
  const { asked, painter } = canvas(4);
  for (let i = 0; i < 5; i++) await painter.paint(picture('I420'), fit);
  t.strictSame(asked, ['draw', 'draw', 'draw', 'put', 'put']);
});

t.test('pictures of hardware decoders are drawn in either case', async t => {
  const { asked, painter } = canvas(4);
  for (let i = 0; i < 3; i++) await painter.paint(picture('I420'), fit);
  await painter.paint(picture('NV12'), fit);
  t.equal(asked.at(-1), 'draw');
});

t.test('where the browser cannot convert a copy, pictures are drawn from then on', async t => {
  const { asked, painter } = canvas(4);
  let tries = 0;
  const refused = () => (tries++, Promise.reject(new Error('NotSupportedError')));
  for (let i = 0; i < 6; i++) await painter.paint(picture('I420', refused), fit);
  t.strictSame(asked, Array(6).fill('draw'));
  t.equal(tries, 1);
});

t.test('the canvas gets its size immediately before it is painted, however long that takes to prepare', async t => {
  const { asked, painter } = canvas(4);
  const paint = (copyTo?: () => Promise<unknown>) => painter.paint(picture('I420', copyTo), () => asked.push('fit'));
  for (let i = 0; i < 3; i++) await paint();
  await paint(() => new Promise(resolve => setTimeout(() => (asked.push('copied'), resolve([{}])), 20)));
  t.strictSame(asked, ['fit', 'draw', 'fit', 'draw', 'fit', 'draw', 'copied', 'fit', 'put']);
});
