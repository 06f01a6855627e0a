// tags: containers
import t, { type Test } from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { containerOf } from '../fixtures/engines/docker.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { startService } from '../fixtures/services/service.js';
import { sessionHtml } from '../fixtures/pages/pixel-page.js';
import { serveIn } from '../fixtures/pages/site-in-container.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

/** A page that counts what reaches it, and does its worst to elements that are not its own. */
const PAGE = sessionHtml(`
  let presses = 0, keys = 0;
  const tell = () => show(presses | keys << 4);
  for (const kind of ['pointerdown', 'mousedown', 'click']) addEventListener(kind, () => { presses++; tell(); }, true);
  addEventListener('keydown', event => {
    keys++;
    tell();
    if (event.key === 'x') document.documentElement.replaceChildren(document.head, document.body);
    if (event.key === 'f') full.requestFullscreen();
  }, true);
  const style = document.createElement('style');
  style.textContent = 'html > :not(body) { display: none !important; opacity: 0 !important; z-index: -1 !important }';
  document.head.append(style);
  const full = document.createElement('div');
  full.style.background = '#262';
  document.body.append(full);
  tell();`);

const BACKGROUND = '#445566';
const RED = '#e5383b';
const BLUE = '#2374f2';
const FULL = '#226622';

/** Where the button that opens the tools is in a window of 640 x 400. */
const OPENER = { x: 605, y: 196 };

const service = await startService(t);
const browser = await openBrowser(t);
const session = await startSession(service, '', { start_url: 'about:blank', draw: true });
await serveIn(containerOf(service, session.id), PAGE);
const visit = (path: string) =>
  service.api('POST', `/s/${session.id}/tabs.update`, [null, { url: `http://localhost:8000/${path}` }]);
const artist = await ViewerPage.open(browser, session.url);
const watcher = await ViewerPage.open(browser, session.url);
const { mouse, keyboard } = artist.page;

/** Waits until the watcher sees a colour at a place of the session's display. */
async function sees(t: Test, what: string, color: string, x: number, y: number): Promise<void> {
  await until(`${what}: ${color} at ${x}, ${y}`, async () => near(await watcher.color(x, y), color));
  t.pass(what);
}

/** Video is not exact. */
function near(seen: readonly number[], color: string): boolean {
  const wanted = [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16));
  return wanted.every((value, channel) => Math.abs(value - (seen[channel] ?? -99)) < 40);
}

async function drag(...[first, ...others]: [x: number, y: number][]): Promise<void> {
  await mouse.move(...(first as [number, number]));
  await mouse.down();
  for (const [x, y] of others) await mouse.move(x, y, { steps: 8 });
  await mouse.up();
}

/** Goes so many buttons on from the one that has the focus, and presses it. */
async function press(steps: number): Promise<void> {
  for (let step = 0; step < Math.abs(steps); step++) await keyboard.press(steps > 0 ? 'ArrowRight' : 'ArrowLeft');
  await keyboard.press('Enter');
}

t.test('the first page', async t => {
  const { status } = await visit('first');
  t.equal(status, 200);
  await watcher.shows(0);
  // What is done before its player plays is lost.
  await artist.shows(0);
  await sees(t, 'the page', BACKGROUND, 300, 300);
});

t.test('what one viewer draws, the other sees', async t => {
  await mouse.click(OPENER.x, OPENER.y);
  await drag([150, 300], [450, 300]);
  await sees(t, 'a line', RED, 300, 300);
  await sees(t, 'beside it', BACKGROUND, 300, 280);
  await sees(t, 'where it was not drawn', BACKGROUND, 480, 300);
});

t.test('undo, redo, erase, clear, hide', async t => {
  await keyboard.press('Control+z');
  await sees(t, 'undone', BACKGROUND, 300, 300);
  await keyboard.press('Control+y');
  await sees(t, 'redone', RED, 300, 300);
  await press(1);
  await drag([300, 250], [300, 350]);
  await sees(t, 'erased', BACKGROUND, 300, 300);
  await sees(t, 'the rest', RED, 200, 300);
  await keyboard.press('Control+z');
  await sees(t, 'the erasing is undone', RED, 300, 300);
  await press(4);
  await drag([150, 350], [450, 350]);
  await sees(t, 'another colour', BLUE, 300, 350);
  await press(-7);
  await sees(t, 'hidden', BACKGROUND, 300, 300);
  await keyboard.press('Enter');
  await sees(t, 'shown', RED, 300, 300);
  await press(-1);
  await sees(t, 'cleared', BACKGROUND, 300, 300);
  await keyboard.press('Control+z');
  await sees(t, 'the clearing is undone', BLUE, 300, 350);
});

t.test('the page gets no events while drawing, and all of them once the tools are closed', async t => {
  await watcher.shows(0);
  await keyboard.press('Escape');
  await mouse.click(500, 250);
  await watcher.shows(3);
  await keyboard.press('a');
  await watcher.shows(3 | (1 << 4));
  t.pass('a press and a key');
});

t.test('the drawing stays with the content it was drawn on', async t => {
  await mouse.wheel(0, 120);
  await sees(t, 'scrolled', RED, 300, 180);
  await sees(t, 'and gone from where it was', BACKGROUND, 300, 300);
  await mouse.wheel(0, -120);
  await sees(t, 'scrolled back', RED, 300, 300);
});

t.test('scripts and styles of the page do not remove it', async t => {
  await keyboard.press('x');
  await watcher.shows(3 | (2 << 4));
  await sees(t, 'it is still there', RED, 300, 300);
  await mouse.click(OPENER.x, OPENER.y);
  await drag([150, 250], [450, 250]);
  await sees(t, 'so are the tools', BLUE, 300, 250);
  await keyboard.press('Escape');
});

t.test('it is over full-screen elements', async t => {
  await mouse.click(500, 280);
  await keyboard.press('f');
  await sees(t, 'the element', FULL, 300, 350 + 25);
  await sees(t, 'the line over it', BLUE, 300, 250);
  await keyboard.press('Escape');
});

t.test('other pages start without a drawing, with the last pen', async t => {
  await visit('second');
  await sees(t, 'a clean page', BACKGROUND, 300, 300);
  await mouse.click(OPENER.x, OPENER.y);
  await drag([150, 300], [450, 300]);
  await sees(t, 'the same colour', BLUE, 300, 300);
});
