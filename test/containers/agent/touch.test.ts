// tags: containers
import { setTimeout as pause } from 'node:timers/promises';
import { decode } from 'fast-png';
import t from 'tap';
import type { TouchPhase } from '../../../src/protocol/touch.js';
import { until } from '../../fixtures/until.js';
import { ACTIVATES } from '../../fixtures/pages/user-activation.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

const PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><body style="height:3000px;background:#804020">
<select style="position:fixed;left:800px;top:300px;width:200px"><option>1<option>2<option>3</select>
<script>
const tell = report => fetch('/report', { method: 'POST', body: JSON.stringify(report) });
for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel']) {
  addEventListener(type, event => tell({ type, trusted: event.isTrusted, fingers: [...event.touches].map(touch =>
    [touch.identifier, Math.round(touch.screenX), Math.round(touch.screenY)]) }));
}
${ACTIVATES}
if (location.search === '?opens') onclick = () => open('/popup', '', 'popup,width=500,height=300,left=200,top=150');
addEventListener('change', event => tell({ chosen: event.target.value }));
addEventListener('mousedown', event => tell({ mouse: event.type }));
addEventListener('keydown', event => tell({ key: event.key, activates: activates(event) }));
visualViewport.addEventListener('resize', () => tell({ scale: visualViewport.scale }));
addEventListener('pageshow', () => tell({ loaded: location.pathname, scale: visualViewport.scale, top: outerHeight - innerHeight }));
</script>`;

interface Report {
  type?: string;
  trusted?: boolean;
  fingers?: [number, number, number][];
  scale?: number;
  loaded?: string;
  top?: number;
  key?: string;
  chosen?: string;
  mouse?: string;
  activates?: boolean;
}

const computer = await Computer.start(t);
const service = await Service.connect(t, computer);
const site = await computer.serve(PAGE);
await service.run(launchOf({ start_url: 'http://localhost:8000/touch', touch_gestures: { pinch: true } }));
const reports = site.reports as Report[];
const heard = (what: string, matches: (report: Report) => boolean) => until(what, () => reports.find(matches));
/** Where the page begins on the display. */
const { top = NaN } = await heard('the page', ({ loaded }) => loaded === '/touch');

/** The button that reloads the page. */
const RELOAD = { x: 92, y: 59 };

/** Fingers at these places of the display of 1280x720, numbered from 0. */
const touch = (phase: TouchPhase, ...places: [number, number][]) =>
  service.input({ type: 'touch', phase, points: places.map(([x, y], id) => ({ id, x: x / 1279, y: y / 719 })) });

/** Two fingers that move apart. */
async function pinch() {
  touch('start', [600, 400]);
  touch('start', [600, 400], [680, 400]);
  // At once, as after a network that held them up.
  for (let step = 1; step <= 10; step++) touch('move', [600 - step * 20, 400], [680 + step * 20, 400]);
  touch('end', [400, 400]);
  touch('end');
  await heard('the fingers are lifted', ({ type, fingers }) => type === 'touchend' && fingers?.length === 0);
}

await until('the browser takes touches', async () => {
  touch('start', [500, 300]);
  touch('end');
  return until('it tells', () => reports.some(({ type }) => type === 'touchend'), 300).catch(() => false);
});

t.test('touches reach the page at their positions', async t => {
  reports.length = 0;
  touch('start', [500, 300]);
  const start = await heard('the start', ({ type }) => type === 'touchstart');
  t.match(start, { trusted: true, fingers: [[Number, 500, 300]] });
  touch('start', [500, 300], [700, 400]);
  t.match(await heard('a second finger', ({ fingers }) => fingers?.length === 2), {
    fingers: [
      [Number, 500, 300],
      [Number, 700, 400],
    ],
  });
  touch('move', [500, 300], [710, 420]);
  await heard('a move', ({ type, fingers }) => type === 'touchmove' && fingers?.[1]?.[2] === 420);
  touch('end', [500, 300]);
  await heard('one goes', ({ type, fingers }) => type === 'touchend' && fingers?.length === 1);
  touch('cancel');
  await heard('the rest is taken away', ({ type, fingers }) => type === 'touchcancel' && fingers?.length === 0);
});

t.test('two fingers zoom; Escape and a reload reset it', async t => {
  reports.length = 0;
  await pinch();
  const { scale } = await heard('zoomed', ({ scale }) => scale !== undefined && scale > 1.5);
  t.ok(scale, `by ${scale}`);

  reports.length = 0;
  service.press(0xff1b);
  await heard('not zoomed', ({ scale }) => scale === 1);
  await heard('the page gets the key', ({ key }) => key === 'Escape');

  reports.length = 0;
  await pinch();
  await heard('zoomed again', ({ scale }) => scale !== undefined && scale > 1.5);
  reports.length = 0;
  service.press(0xffc2);
  await until('the page is loaded without zoom', () => {
    const from = reports.findIndex(({ loaded }) => loaded !== undefined);
    return (
      from !== -1 &&
      reports
        .slice(from)
        .filter(({ scale }) => scale !== undefined)
        .at(-1)?.scale === 1
    );
  });
});

t.test('a pinch that is over before Chromium has processed the first finger also zooms', async t => {
  reports.length = 0;
  const { id } = (await service.call('tabs.create', { url: 'http://localhost:8000/fresh' })) as { id: number };
  await heard('a page that was never touched', ({ loaded }) => loaded === '/fresh');
  await until('it takes input', () => {
    service.press(0x78);
    return until('it hears', () => reports.some(({ key }) => key === 'x'), 300).catch(() => false);
  });
  reports.length = 0;
  await pinch();
  const { scale } = await heard('zoomed', ({ scale }) => scale !== undefined && scale > 1.5);
  t.ok(scale, `by ${scale}`);
  await service.call('tabs.remove', id);
});

t.test('a finger that does not touch the page is the mouse', async t => {
  const tap = (x: number, y: number) => {
    touch('start', [x, y]);
    touch('end');
  };
  reports.length = 0;
  tap(900, top + 310);
  await heard('a touch on the list', ({ type }) => type === 'touchend');
  await until('its entries are above the page', async () => {
    const picture = decode(Buffer.from(await (await computer.screenshot()).arrayBuffer()));
    return picture.data[((top + 345) * picture.width + 900) * 3] !== 0x80;
  });
  tap(900, top + 345);
  t.match(await heard('one is chosen', ({ chosen }) => chosen !== undefined), { chosen: '2' }, 'an entry of a list');

  reports.length = 0;
  tap(RELOAD.x, RELOAD.y);
  await heard('the page again', ({ loaded }) => loaded === '/touch');
  t.notOk(
    reports.some(({ type }) => type === 'touchstart'),
    'a button of the toolbar',
  );
});

t.test('the page of a popup is touched where it is, and its frame is moved by a finger', async t => {
  const [tab] = (await service.call('tabs.query', { title: '' })) as { id: number }[];
  await service.call('tabs.update', tab?.id, { url: 'http://localhost:8000/touch?opens' });
  const popup = () => {
    const listed = service.heard.flatMap(message => (message.type === 'windows' ? [message.windows] : [])).at(-1);
    return listed?.find(({ kind, active }) => kind === 'popup' && active);
  };
  await until('it is open', async () => {
    touch('start', [900, 500]);
    touch('end');
    return until('there is a popup', popup, 1000).catch(() => false);
  });
  await heard('its page', ({ loaded }) => loaded === '/popup');
  const touched = async () => {
    const { x, y, height } = await until('it is there', popup);
    const place: [number, number] = [x + 100, y + height - 100];
    reports.length = 0;
    touch('start', place);
    touch('end');
    const { fingers } = await heard('a touch', ({ type }) => type === 'touchstart');
    t.match(fingers, [[Number, ...place]], `at ${place.join()} on the display`);
    return { x, y };
  };
  const { x, y } = await touched();

  touch('start', [x + 100, y + 8]);
  for (let step = 1; step <= 10; step++) {
    touch('move', [x + 100 + step * 20, y + 8 + step * 10]);
    await pause(30);
  }
  touch('end');
  const moved = await until('it is moved', () => {
    const now = popup();
    return now !== undefined && now.x > x + 150 && now.y > y + 75 && now;
  });
  await touched();
  await service.call('windows.close', moved.id);
  await until('it is closed', () => popup() === undefined);
});

t.test('a viewer cannot affect the touches of another, and leaves none behind', async t => {
  const second = await Service.connect(t, computer);
  reports.length = 0;
  second.input({ type: 'touch', phase: 'start', points: [{ id: 0, x: 0.5, y: 0.5 }] });
  await heard('the first', ({ type }) => type === 'touchstart');
  touch('start', [500, 300]);
  touch('end');
  // Each link is read by itself: this one has been when it answers.
  await t.rejects(service.call('nothing'));
  second.input({ type: 'touch', phase: 'move', points: [{ id: 0, x: 0.6, y: 0.6 }] });
  await heard('its move', ({ type }) => type === 'touchmove');
  t.notOk(reports.some(({ type, fingers }) => type === 'touchend' || (fingers?.length ?? 0) > 1));
  second.close();
  await heard('its finger is gone', ({ type }) => type === 'touchcancel');
});

t.test('a swipe navigates the history, and does nothing at its ends', async t => {
  const activate = async () => {
    reports.length = 0;
    await until('the page is touched', () => {
      service.press(0x61);
      return until('it tells', () => reports.some(report => report.key === 'a' && report.activates), 300).catch(
        () => false,
      );
    });
  };
  const visit = async (path: string) => {
    await service.call('tabs.update', null, { url: `http://localhost:8000${path}` });
    await heard(path, ({ loaded }) => loaded === path);
    // Chromium's history skips pages that nobody touched. Its main process is told so after the page, and before the
    // page hears another key.
    await activate();
    await activate();
  };
  await visit('/one');
  await visit('/two');
  reports.length = 0;
  t.equal(await service.call('swipe', 'right'), null);
  await heard('back', ({ loaded }) => loaded === '/one');
  t.equal(await service.call('swipe', 'left'), null);
  await heard('forward', ({ loaded }) => loaded === '/two');
  t.equal(await service.call('swipe', 'left'), null, 'there is nothing more');
  await t.rejects(service.call('swipe', 'up'), { code: 'tab_error' });
});
