// tags: containers
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { toHelper } from '../../../src/protocol/display-helper.js';
import type { SessionWindow } from '../../../src/protocol/generated/schemas.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/** Clicking it opens what its address asks for; it reports keys, and sizes as it is laid out. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>loading</title><body style="margin:0;height:100vh"><script>
const of = new URLSearchParams(location.search);
document.title = of.get('title') ?? location.pathname;
const tell = report => fetch('/report', { method: 'POST', body: JSON.stringify({ at: location.pathname, ...report }) });
const size = () => tell({ inner: [innerWidth, innerHeight], screen: [screenX, screenY] });
addEventListener('resize', size);
addEventListener('keydown', event => tell({ key: event.key }));
addEventListener('pointerdown', event => tell({ pressed: [event.screenX, event.screenY] }));
if (of.has('run')) onclick = () => eval(of.get('run'));
size();
</script>`;

interface Report {
  at: string;
  inner?: [number, number];
  screen?: [number, number];
  key?: string;
  pressed?: [number, number];
}

const [WIDTH, HEIGHT] = [1280, 720];

/** Milliseconds between two moves of somebody who drags. */
const MOVE_MS = 30;

/** Longer than the display is looked at after a move. */
const HELD_MS = 700;

const computer = await Computer.start(t);
const site = await computer.serve(PAGE);
const service = await Service.connect(t, computer);
const reports = site.reports as Report[];
const START = 'http://localhost:8000/start';
await service.run(launchOf({ start_url: START }));
await service.browserAnswers();

/** All lists told since then, the number of messages heard. */
const lists = (from = 0) =>
  service.heard.slice(from).flatMap(message => (message.type === 'windows' ? [message.windows] : []));
const windows = (): SessionWindow[] => lists().at(-1) ?? [];
const popups = () => windows().filter(({ kind }) => kind === 'popup');
const named = (title: string) => windows().find(window => window.title === title);
const shown = (title: string) => until(`there is a window ${title}`, () => named(title));
const place = ({ x, y, width, height }: SessionWindow) => ({ x, y, width, height });
const right = ({ x, width }: SessionWindow) => x + width;
const bottom = ({ y, height }: SessionWindow) => y + height;
const isWithin = (window: SessionWindow, width = WIDTH, height = HEIGHT) =>
  window.x >= 0 && window.y >= 0 && right(window) <= width && bottom(window) <= height;
const whole = (width = WIDTH, height = HEIGHT) => ({ x: 0, y: 0, width, height });
const click = (x: number, y: number) => service.click(x / (WIDTH - 1), y / (HEIGHT - 1));
const resize = (width: number, height: number) =>
  service.send(toHelper.setDisplay.encode({ width, height, fps: 30, quality: 0, chroma: false }));

/** A script in an address that is in a script. */
const inAddress = (script: string) => encodeURIComponent(script).replaceAll("'", '%27');

/** Opens a window from the first one, by a script. */
async function open(script: string): Promise<void> {
  await closePopups();
  const search = `run=${encodeURIComponent(script)}`;
  reports.length = 0;
  const [tab] = (await service.call('tabs.query', { title: '/*' })) as { id: number; windowId: number }[];
  await service.call('tabs.update', tab?.id, { url: `http://localhost:8000/opener?${search}` });
  const main = await shown('/opener');
  await service.call('windows.activate', main.id);
  await until('the page is there', () => reports.some(({ at }) => at === '/opener'));
  await until('it opens it', async () => {
    click(600, 700);
    return until('it is there', () => popups().length > 0, 1500).catch(() => false);
  });
}

/** Clicks a popup, whose page does then what its address asks for, until something is so. */
async function use(title: string, what: string, isSo: () => unknown): Promise<void> {
  await shown(title);
  await until('its page is there', () => reports.some(({ at }) => at === title));
  await until(what, async () => {
    const window = named(title);
    if (window !== undefined) click(window.x + 100, bottom(window) - 60);
    return until(what, isSo, 2000).catch(() => false);
  });
}

async function closePopups(): Promise<void> {
  for (const { id } of popups()) await service.call('windows.close', id);
  await until('they are closed', () => popups().length === 0);
}

t.test('the window of the browser fills the display, from the start', async t => {
  const main = await shown('/start');
  t.match(main, { kind: 'browser', active: true, ...whole() });
  const sizes = reports.flatMap(({ at, inner }) => (at === '/start' && inner ? [inner[0]] : []));
  t.ok(sizes.length > 0 && sizes.every(width => width === WIDTH), `its page is as wide: ${sizes.join()}`);
});

t.test('a popup keeps the size and the place that its page asks for, with a frame around', async t => {
  await open(`window.open('/popup', 'p', 'popup,width=400,height=300,left=200,top=150')`);
  const popup = await shown('/popup');
  t.match(popup, { kind: 'popup', active: true });
  const [report] = reports.filter(({ at }) => at === '/popup');
  t.ok(Math.abs((report?.inner?.[0] ?? 0) - 400) <= 1, `a width of ${report?.inner?.[0]}`);
  t.ok(Math.abs((report?.inner?.[1] ?? 0) - 300) <= 1, `a height of ${report?.inner?.[1]}`);
  t.ok(popup.width >= 400 && popup.width < 420, `${popup.width} with its frame`);
  t.ok(popup.height > 340 && popup.height < 420, `${popup.height} with its frame`);
  t.ok(isWithin(popup), JSON.stringify(popup));
  t.match(named('/opener'), { active: false, ...whole() });
});

t.test('a press gives a window the keyboard; the list says which has it', async t => {
  const popup = await shown('/popup');
  const type = async (to: string) => {
    reports.length = 0;
    await until(`${to} has the key`, () => {
      // Chromium drops keys that come together with the focus.
      service.press(0x78);
      return until('it is heard', () => reports.some(({ key }) => key === 'x'), 300).catch(() => false);
    });
    const heard = reports.filter(({ key }) => key !== undefined);
    t.ok(
      heard.every(({ at }) => at === to),
      `no other page than ${to}`,
    );
  };
  click(right(popup) - 50, bottom(popup) - 50);
  await type('/popup');
  const main = await shown('/opener');
  await service.call('windows.activate', main.id);
  t.match(named('/opener'), { active: true });
  t.match(named('/popup'), { active: false });
  await type('/opener');
  await service.call('windows.activate', popup.id);
  t.match(named('/popup'), { active: true });
  await type('/popup');
});

t.test('a popup is moved by its frame, resized by its edge, kept on the display, and closed by its button', async t => {
  const before = await shown('/popup');
  /** Drags until the popup is seen to follow, as people do, and then to where it shall be. */
  const drag = async (from: [number, number], to: [number, number], letGo?: () => unknown) => {
    const at = ([x, y]: [number, number]) => ({ x: x / (WIDTH - 1), y: y / (HEIGHT - 1) });
    const start = JSON.stringify(place(await shown('/popup')));
    service.input({ type: 'move', ...at(from) });
    service.input({ type: 'button', button: 0, down: true, ...at(from) });
    let step = 0;
    await until('it follows', async () => {
      step = (step % 5) + 1;
      const between = (axis: 0 | 1) => from[axis] + ((to[axis] - from[axis]) * step) / 6;
      service.input({ type: 'move', ...at([between(0), between(1)]) });
      await pause(MOVE_MS);
      return JSON.stringify(place(await shown('/popup'))) !== start;
    });
    service.input({ type: 'move', ...at(to) });
    await pause(MOVE_MS);
    if (letGo === undefined) service.input({ type: 'button', button: 0, down: false, ...at(to) });
    else await letGo();
  };
  await drag([before.x + 100, before.y + 12], [before.x + 220, before.y + 92]);
  await until('it has moved', () => named('/popup')?.x === before.x + 120 && named('/popup')?.y === before.y + 80);
  const moved = await shown('/popup');
  t.match(moved, { width: before.width, height: before.height });

  await drag([moved.x + 100, moved.y + 12], [moved.x + 100, HEIGHT - 1]);
  const isBack = () => {
    const now = named('/popup');
    return now !== undefined && now.y > moved.y && bottom(now) === HEIGHT;
  };
  await until(() => `it is back on the display: ${JSON.stringify(windows())}`, isBack);
  await service.call('windows.setBounds', moved.id, place(moved));
  await drag([moved.x + 100, moved.y + 12], [moved.x + 100, HEIGHT - 1], async () => {
    await pause(HELD_MS);
    service.input({ type: 'release' });
  });
  await until('so it is when who held it for a while has left', isBack);
  await service.call('windows.setBounds', moved.id, { ...place(moved), x: -300, y: -100 });
  await until('nor does a call move it away', () => named('/popup')?.x === 0 && named('/popup')?.y === 0);

  const corner = await shown('/popup');
  await drag([right(corner) - 1, bottom(corner) - 1], [right(corner) + 99, bottom(corner) + 49]);
  await until('it is larger', () => {
    const now = named('/popup');
    return now?.width === corner.width + 100 && now.height === corner.height + 50;
  });

  await until('it is closed', () => {
    // The window manager may still be at the drag.
    const now = named('/popup');
    if (now !== undefined) click(right(now) - 16, now.y + 14);
    return until('it is', () => named('/popup') === undefined, 500).catch(() => false);
  });
  t.match(windows(), [{ kind: 'browser', active: true }], 'the first window has the keyboard again');
});

t.test('whatever pages ask for, windows are within the display', async t => {
  const asked = [
    'popup,width=4000,height=3000,left=-500,top=-500',
    'popup,width=1,height=1,left=9999,top=9999',
    'popup,width=300,height=200,left=1200,top=700',
    'popup',
  ];
  for (const features of asked) {
    await open(`window.open('/asked', 'a', '${features}')`);
    await until(`one is placed: ${features}`, () => isWithin(popups()[0] as SessionWindow));
  }

  const run = inAddress(`resizeTo(5000, 5000); moveTo(-900, 900); open('/inner', 'i', 'popup,width=300,height=200')`);
  await open(`window.open('/moving?run=${run}', 'm', 'popup,width=500,height=400')`);
  await use('/moving', 'it opens another', () => named('/inner'));
  await until('both are there', () => popups().length === 2 && popups().every(each => isWithin(each)));
  await closePopups();
  t.pass('also by popups of popups');
});

t.test('a smaller display takes its windows along', async t => {
  await open(`window.open('/popup', 'p', 'popup,width=500,height=400,left=700,top=250')`);
  await shown('/popup');
  for (const [width, height] of [
    [640, 480],
    [360, 640],
    [1280, 720],
  ] as const) {
    resize(width, height);
    await until(`they are on a display of ${width}x${height}`, () => {
      const [main, popup] = [named('/opener'), named('/popup')];
      if (main === undefined || popup === undefined) return false;
      return main.width === width && main.height === height && isWithin(popup, width, height) && popup.width > 100;
    });
    t.match(named('/opener'), whole(width, height));
  }
  await closePopups();
});

t.test('a popup can be fullscreen, and is then where it was', async t => {
  const run = inAddress('document.documentElement.requestFullscreen()');
  await open(`window.open('/full?run=${run}', 'f', 'popup,width=400,height=300,left=100,top=100')`);
  const popup = await shown('/full');
  const isFull = (window?: SessionWindow) => window?.width === WIDTH && window.height === HEIGHT;
  await use('/full', 'it fills the display', () => isFull(named('/full')));
  // Where it was last: what was told first may not be its place yet.
  const before = lists()
    .flatMap(list => list.filter(window => window.id === popup.id && !isFull(window)))
    .map(place)
    .at(-1);
  await until('it is as before', async () => {
    service.press(0xff1b);
    const isBefore = () => {
      const now = named('/full');
      return now !== undefined && JSON.stringify(place(now)) === JSON.stringify(before);
    };
    return until('it is', isBefore, 2000).catch(() => false);
  });
  await service.call('windows.setBounds', popup.id, { x: 50, y: 60, width: 700, height: 500 });
  t.match(named('/full'), { x: 50, y: 60, width: 700, height: 500 });
  await closePopups();
});

t.test('a second window of the browser fills the display as well', async t => {
  service.input({ type: 'key', down: true, keysym: 0xffe3 });
  service.press(0x6e);
  service.input({ type: 'key', down: false, keysym: 0xffe3 });
  await until('there are two', () => windows().length === 2);
  const second = await until('it has the keyboard', () => windows().find(({ active }) => active));
  t.match(second, { kind: 'browser', ...whole() });
  await service.call('windows.close', second.id);
  await until('the other one has the keyboard again', () => windows().length === 1 && windows()[0]?.active);
  t.match(windows(), [{ kind: 'browser', ...whole() }]);
});

t.test('titles are what can be shown; a page that changes its own all the time is not told of every time', async t => {
  const run = inAddress(
    `let n = 0; setInterval(() => { document.title = 'a\\u202eb\\u0007c ' + n++; if (n > 1500) document.title = 'x'.repeat(2000) }, 1)`,
  );
  await open(`window.open('/busy?run=${run}', 'b', 'popup,width=400,height=300')`);
  await shown('/busy');
  const from = service.heard.length;
  const began = performance.now();
  await use('/busy', 'the title is long', () => windows().some(({ title }) => /^x{200,256}$/.test(title)));
  const told = lists(from);
  const most = 2 + (performance.now() - began) / 200;
  t.ok(told.length <= most, `${told.length} lists, at most ${most}`);
  t.ok(
    told.flat().some(({ title }) => /^a b c \d+$/.test(title)),
    'without control characters',
  );
  await closePopups();
});

t.test('what fills the display is not moved, and what is not there neither activated nor closed', async t => {
  const [main] = windows();
  await t.rejects(service.call('windows.setBounds', main?.id, whole(300, 300)), { code: 'not_supported' });
  const calls = [
    service.call('windows.activate', 1),
    service.call('windows.close', 1),
    service.call('windows.setBounds', 1, whole()),
  ];
  for (const call of calls) await t.rejects(call, { code: 'window_not_found' });
  t.same(await service.call('windows.list'), windows());
});

t.test('after the last window was closed, the browser starts afresh, full size', async t => {
  const from = service.heard.length;
  await service.call('windows.close', windows()[0]?.id);
  await until('there is none', () => lists(from).some(list => list.length === 0));
  await until('there is another', () => windows().some(({ active }) => active));
  t.match(windows(), [{ kind: 'browser', ...whole() }]);
});
