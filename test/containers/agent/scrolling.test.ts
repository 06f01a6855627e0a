// tags: containers
import { setTimeout as wait } from 'node:timers/promises';
import { decode } from 'fast-png';
import t from 'tap';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

const CONTROL = 0xffe3;
const ESCAPE = 0xff1b;
const DISPLAY = { width: 1280, height: 720 };

/** A long page with a long list in its right half, and one to choose from in its left. */
const PAGE = `<!doctype html><body style="margin:0;height:5000px">
<select style="position:fixed;left:0;top:100px">${'<option>option</option>'.repeat(100)}</select>
<div id="list" style="position:fixed;left:640px;top:0;width:600px;height:400px;overflow:auto"><p style="height:5000px">list</div>
<script>
const tell = report => fetch('/report', { method: 'POST', body: JSON.stringify(report) });
addEventListener('wheel', ({ deltaY, isTrusted, ctrlKey }) => tell({ deltaY, isTrusted, ctrlKey }));
addEventListener('scroll', () => tell({ page: scrollY }));
list.addEventListener('scroll', () => tell({ list: list.scrollTop }));
addEventListener('resize', () => tell({ ratio: devicePixelRatio }));
tell({ loaded: true });
</script>`;

interface Report {
  loaded?: boolean;
  page?: number;
  list?: number;
  deltaY?: number;
  isTrusted?: boolean;
  ctrlKey?: boolean;
  ratio?: number;
}

const computer = await Computer.start(t);
const service = await Service.connect(t, computer);
const site = await computer.serve(PAGE);
await service.run(launchOf({ start_url: 'http://localhost:8000/' }));
const reports = site.reports as Report[];
const heard = (what: string, matches: (report: Report) => boolean) => until(what, () => reports.find(matches));
await heard('the page', ({ loaded }) => loaded === true);
await service.browserAnswers();

/** Turns the wheel at a place of the display, in pixels. */
const wheel = (dy: number, [x, y]: readonly [number, number] = [300, 400]) =>
  service.input({ type: 'wheel', dx: 0, dy, x: x / (DISPLAY.width - 1), y: y / (DISPLAY.height - 1) });

const picture = async () => Buffer.from(await (await computer.screenshot()).arrayBuffer());

/** How red a pixel of the display is, from 0 to 255. */
const pixel = async (x: number, y: number) => decode(await picture()).data[(y * DISPLAY.width + x) * 3] as number;

// First, since the end of a wheel's turn, which Chromium waits for, closes lists.
t.test('an open list of a page scrolls, not the page beneath it', async t => {
  reports.length = 0;
  const isThumb = async () => (await pixel(50, 240)) < 200;
  await until('the list is open, its bar at the top', () => {
    service.click(20 / DISPLAY.width, 200 / DISPLAY.height);
    return until('it opens', isThumb, 1000).catch(() => false);
  });
  wheel(230, [30, 480]);
  await until('the bar has moved', async () => !(await isThumb()));
  t.ok((await pixel(30, 480)) < 255, 'the list is still open');
  service.press(ESCAPE);
  t.notOk(reports.some(({ page }) => page !== undefined));
});

t.test('a page scrolls by exactly the pixels of a touchpad', async t => {
  for (const dy of [7, 1, 25, -3]) wheel(dy);
  await heard('all of it', ({ page }) => page === 30);
  t.ok(
    reports.every(({ isTrusted }) => isTrusted !== false),
    'by events that pages trust',
  );
  t.notOk(
    reports.some(({ page = 0 }) => page > 33),
    'nothing was scrolled twice',
  );
});

t.test('whatever is under the pointer scrolls', async t => {
  reports.length = 0;
  wheel(45, [900, 300]);
  await heard('the list scrolls', ({ list }) => list === 45);
  t.notOk(
    reports.some(({ page }) => page !== undefined),
    'not the page',
  );
});

t.test('a wheel click scrolls as far as one of the display', async t => {
  reports.length = 0;
  wheel(120);
  t.match(await heard('the click', ({ deltaY }) => deltaY !== undefined), { deltaY: 120 });
  await heard('it has scrolled', ({ page }) => page === 150);
});

t.test('with Ctrl held the wheel zooms', async t => {
  reports.length = 0;
  service.input({ type: 'key', down: true, keysym: CONTROL });
  wheel(-119);
  const { ratio } = await heard('larger', ({ ratio }) => ratio !== undefined);
  service.input({ type: 'key', down: false, keysym: CONTROL });
  t.ok(Number(ratio) > 1, `by ${ratio}`);
  t.ok(reports.some(({ ctrlKey }) => ctrlKey));
});

t.test("the browser's own pages, which ignore pixels, scroll by whole clicks", async t => {
  await service.call('tabs.update', null, { url: 'chrome://credits' });
  await until('it is there', async () => {
    const [tab] = (await service.call('tabs.query', { active: true })) as { url: string; status: string }[];
    return tab?.url.startsWith('chrome://credits') && tab.status === 'complete';
  });
  // At the edge, where nothing is marked or explained because the pointer is over it.
  const edge = [2, 500] as const;
  service.input({ type: 'move', x: edge[0] / (DISPLAY.width - 1), y: edge[1] / (DISPLAY.height - 1) });
  let top = await picture();
  await until('it is painted, and stands still', async () => {
    const before = top;
    await wait(500);
    top = await picture();
    return before.equals(top);
  });
  // More than half a click: one.
  wheel(110, edge);
  await until('it scrolls', async () => !(await picture()).equals(top));
  wheel(-110, edge);
  await until('and back by as much', async () => (await picture()).equals(top));
  t.pass('by as much as it takes back');
});
