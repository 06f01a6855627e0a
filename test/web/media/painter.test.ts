import t from 'tap';
import { Painter } from '../../../src/web/media/video/painter.js';
import { withImageData } from '../../fixtures/media/image-data.js';

/** A picture as decoders give it. */
const picture = (format: string, copyTo: () => Promise<unknown> = () => Promise.resolve([{}])) =>
  ({ format, visibleRect: { width: 2, height: 2 }, copyTo, close: () => {} }) as unknown as VideoFrame;

async function paint(painter: Painter, frame: VideoFrame): Promise<void> {
  const prepared = await painter.prepare(frame);
  prepared.paint();
  prepared.close();
}

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

t.before(() => withImageData(t));

t.test('where drawing is fast, pictures are drawn', async t => {
  const { asked, painter } = canvas(0);
  for (let i = 0; i < 6; i++) await paint(painter, picture('I420'));
  t.strictSame(asked, Array(6).fill('draw'));
});

t.test('where drawing is slow, pictures are copied', async t => {
  const { asked, painter } = canvas(4);
  for (let i = 0; i < 5; i++) await paint(painter, picture('I420'));
  t.strictSame(asked, ['draw', 'draw', 'draw', 'put', 'put']);
});

t.test('pictures of hardware decoders are drawn in either case', async t => {
  const { asked, painter } = canvas(4);
  for (let i = 0; i < 3; i++) await paint(painter, picture('I420'));
  await paint(painter, picture('NV12'));
  t.equal(asked.at(-1), 'draw');
});

t.test('where the browser cannot convert a copy, pictures are drawn from then on', async t => {
  const { asked, painter } = canvas(4);
  let tries = 0;
  const refused = () => (tries++, Promise.reject(new Error('NotSupportedError')));
  for (let i = 0; i < 6; i++) await paint(painter, picture('I420', refused));
  t.strictSame(asked, Array(6).fill('draw'));
  t.equal(tries, 1);
});

t.test('pictures are copied before they are due, each into memory of its own', async t => {
  const { asked, painter } = canvas(4);
  for (let i = 0; i < 3; i++) await paint(painter, picture('I420'));
  const memory: unknown[] = [];
  const copied = (data: unknown) => (memory.push(data), Promise.resolve([{}]));
  const frame = () => picture('I420', copied as () => Promise<unknown>);
  const [first, second] = [await painter.prepare(frame()), await painter.prepare(frame())];
  t.equal(asked.length, 3, 'nothing is painted yet');
  t.not(memory[0], memory[1]);
  first.paint();
  first.close();
  second.close();
  await painter.prepare(frame());
  t.ok(memory.slice(0, 2).includes(memory[2]), 'memory is used again');
  t.equal(asked.length, 4);
});
