// tags: containers, alone
import t from 'tap';
import { openBrowser, SCREEN_SOCKET } from '../fixtures/viewers/browser.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { MousePointer } from '../fixtures/displays/mouse-pointer.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

/** Has a green square as its mouse pointer, shows how often that was moved, and is drawn anew with each move. */
const GREEN_POINTER = `
  const square = document.createElement('canvas');
  square.width = square.height = 20;
  const paint = square.getContext('2d');
  paint.fillStyle = '#0f0';
  paint.fillRect(0, 0, 20, 20);
  const style = document.createElement('style');
  style.textContent = '* { cursor: url(' + square.toDataURL() + ') 10 10, auto !important }';
  document.head.append(style);
  let moves = 0;
  addEventListener('mousemove', () => {
    document.documentElement.style.background = ++moves % 2 === 0 ? '#224' : '#242';
    show(moves);
  });
  show(0);`;

/** Moves of the mouse after which the pointer is looked at. */
const MOVES = 5;

const service = await startService(t);
const browser = await openBrowser(t, { shown: true });

const isGreen = ([red = 255, green = 0, blue = 255]: number[]) => green > 150 && red < 100 && blue < 100;

const isSquare = (pointer: number[][]) => pointer.filter(pixel => isGreen(pixel) && pixel[3] === 255).length === 400;
const isNothing = (pointer: number[][]) => pointer.every(([, , , opacity]) => opacity === 0);

/**
 * Moves a viewer's real mouse over a session until its pointer is as it should be, and then on; at each place looks
 * at the pointer and at the picture below it.
 */
async function pointerOver(options: object, isRight: (pointer: number[][]) => boolean) {
  const session = await startSession(service, GREEN_POINTER, options);
  const viewer = await ViewerPage.open(browser, session.url, 'secure', { viewport: null });
  const mouse = await MousePointer.connect(SCREEN_SOCKET);
  await until('there is a picture', async () => (await viewer.number()) !== null);
  const { x, y } = await viewer.page.evaluate(() => ({
    x: Math.round(screenX + outerWidth / 2),
    y: Math.round(screenY + outerHeight - innerHeight / 2),
  }));
  mouse.move(x, y);
  await until('its pointer is as it should be', async () => isRight(await mouse.pixels()));
  const seen: { pointer: number[][]; picture: number[][] }[] = [];
  for (let move = 1; move <= MOVES; move++) {
    const before = (await viewer.number()) ?? 0;
    mouse.move(x + 5 * move, y);
    await until('the session has the move', async () => ((await viewer.number()) ?? 0) > before);
    seen.push({ pointer: await mouse.pixels(), picture: await viewer.pixels(220, 100, 200, 200) });
  }
  mouse.close();
  await viewer.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
  return seen;
}

t.test('the pointer over the picture is the session’s', async t => {
  for (const { pointer, picture } of await pointerOver({ hide_cursor: false }, isSquare)) {
    t.ok(isSquare(pointer), 'a green square of 20 x 20 over it');
    t.notOk(picture.some(isGreen), 'none in it');
  }
});

t.test('hide_cursor: no pointer is shown over the picture, or in it', async t => {
  for (const { pointer, picture } of await pointerOver({ hide_cursor: true }, isNothing)) {
    t.ok(isNothing(pointer), 'none over it');
    t.notOk(picture.some(isGreen), 'none in it');
  }
});

/** Turns a place as large as a letter into another colour with each key. */
const LETTER = `
  const letter = document.createElement('div');
  letter.style = 'left: 200px; top: 250px; width: 10px; height: 20px; position: fixed; background: #123456';
  document.body.append(letter);
  let presses = 0;
  addEventListener('keydown', event => {
    event.preventDefault();
    letter.style.background = presses++ % 2 === 0 ? '#654321' : '#123456';
  });
  show(0);`;

/** What is painted onto a page's canvas: its size, and the colour at a place of the letter then. */
interface Painting {
  width: number;
  height: number;
  colour: number[];
}

/** Notes what is painted. */
function notePaintings(): void {
  const paintings: Painting[] = [];
  Object.assign(window, { paintings });
  const { prototype } = CanvasRenderingContext2D as unknown as { prototype: Record<string, unknown> };
  for (const name of ['drawImage', 'putImageData']) {
    const paint = prototype[name] as (this: CanvasRenderingContext2D, ...args: unknown[]) => void;
    prototype[name] = function (this: CanvasRenderingContext2D, ...args: unknown[]) {
      paint.apply(this, args);
      const { width, height } = args[0] instanceof ImageData ? args[0] : this.canvas;
      paintings.push({ width, height, colour: [...this.getImageData(205, 260, 1, 1).data.slice(0, 3)] });
    };
  }
}

const PRESSES = 9;
/** A picture that was not painted anew for so long, ms, is not refined any more. */
const STILL_MS = 400;

t.test('what a key changes is there pixel for pixel, ahead of the frame, which looks the same', async t => {
  const session = await startSession(service, LETTER);
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(0);
  await viewer.page.evaluate(notePaintings);
  const paintings = () => viewer.page.evaluate(() => (window as unknown as { paintings: Painting[] }).paintings);
  const untilStill = async () => {
    let [count, since] = [-1, 0];
    await until('nothing is painted any more', async () => {
      const { length } = await paintings();
      if (length !== count) [count, since] = [length, performance.now()];
      return performance.now() - since > STILL_MS;
    });
  };
  /** What is painted after a press of a key that follows a pause, the frame last. */
  const press = async () => {
    await untilStill();
    await viewer.page.evaluate(() => void (window as unknown as { paintings: Painting[] }).paintings.splice(0));
    await viewer.page.keyboard.press('a');
    return until('the frame is painted', async () => {
      const all = await paintings();
      return all.at(-1)?.width === 640 && all;
    });
  };
  const presses: Painting[][] = [];
  while (presses.length < PRESSES) presses.push(await press());
  const patched = presses.filter(([first]) => first !== undefined && first.width <= 32 && first.height <= 48);
  t.ok(patched.length > PRESSES / 2, `${patched.length} of ${PRESSES} presses have a patch as large as what changed`);
  const [patch, frame] = patched.at(-1) ?? [];
  if (patch === undefined || frame === undefined) return t.fail('there are not two');
  t.ok(['18,52,86', '101,67,33'].includes(patch.colour.join()), `its very colour: ${patch.colour}`);
  t.ok(
    patch.colour.every((value, i) => Math.abs(value - (frame.colour[i] ?? 999)) < 8),
    `that of the frame: ${frame.colour}`,
  );
  await viewer.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
});

/** Columns of red and blue, one pixel wide each, as their difference in red from one to the next: 255 as painted. */
const STRIPES = `
  const stripes = document.createElement('canvas');
  stripes.style = 'left: 100px; top: 200px; position: fixed';
  stripes.width = 200;
  stripes.height = 100;
  const paint = stripes.getContext('2d');
  for (let x = 0; x < 200; x++) {
    paint.fillStyle = x % 2 ? '#00f' : '#f00';
    paint.fillRect(x, 0, 1, 100);
  }
  document.body.append(stripes);
  addEventListener('keydown', () => show(1));
  show(0);`;

/** By how much red differs from one column to the next, on average, once the picture rests. */
async function contrast(options: object): Promise<number> {
  const session = await startSession(service, STRIPES, options);
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(0);
  await viewer.page.keyboard.press('a');
  await viewer.shows(1);
  const row = (await viewer.pixels(120, 250, 160, 1)).map(([red = 0]) => red);
  await viewer.close();
  await service.api('DELETE', `/v0/vm/${session.id}`);
  return row.slice(1).reduce((sum, red, i) => sum + Math.abs(red - (row[i] ?? 0)), 0) / (row.length - 1);
}

t.test('sharp: each pixel keeps its colour, which smooth mixes with that of its neighbours', async t => {
  const sharp = await contrast({ quality: { mode: 'sharp' } });
  const smooth = await contrast({ quality: { mode: 'smooth' } });
  t.ok(sharp > 200, `sharp: ${sharp.toFixed(0)} of 255`);
  t.ok(smooth < 100, `smooth: ${smooth.toFixed(0)} of 255`);
});
