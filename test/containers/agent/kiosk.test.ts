// tags: containers
import t from 'tap';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

/** Left a link for a new tab; right a window that a script opens. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>page</title>
<style>a{position:fixed;width:50%;height:100%;top:0;left:0} #script{left:50%}</style>
<a id="link" target="_blank">link</a><a id="script">script</a>
<script>
link.href = '/after' + location.pathname.replace(/[/]/g, '-');
script.onclick = () => open(link.href);
</script>`;

interface Tab {
  id: number;
  windowId: number;
  active: boolean;
  url: string;
  status: string;
}

const SHIFT = 0xffe1;
const CONTROL = 0xffe3;
const ALT = 0xffe9;
const LEFT = 0xff51;
const F12 = 0xffc9;
const ESCAPE = 0xff1b;

const START = 'http://localhost:8000/start';

const computer = await Computer.start(t);
const site = await computer.serve(PAGE);
const service = await Service.connect(t, computer);
await service.run(launchOf({ start_url: START, kiosk: true }));
await service.browserAnswers();

const tabs = (method: string, ...args: unknown[]) => service.call(`tabs.${method}`, ...args);
const allTabs = async () => (await tabs('query', {})) as Tab[];
const key = (down: boolean, keysym: number) => service.input({ type: 'key', down, keysym });
const visits = (path: string) => site.visits.filter(visit => visit.path === path).length;

/** Holds keys down meanwhile. */
function holding(keys: readonly number[], act: () => void): void {
  for (const each of keys) key(true, each);
  act();
  for (const each of [...keys].reverse()) key(false, each);
}

/** Waits until only one tab is left, in one window, with this page. */
const isAlone = (url: string) =>
  until(`only ${url} is there`, async () => {
    const [tab, ...others] = await allTabs();
    return others.length === 0 && tab?.url === url && tab.status === 'complete';
  });

t.test('no keys open windows, tabs, settings or developer tools that stay', async t => {
  await isAlone(START);
  const letters: [string, number[]][] = [
    ['n', [CONTROL]],
    ['N', [CONTROL, SHIFT]],
    ['t', [CONTROL]],
    ['I', [CONTROL, SHIFT]],
    ['u', [CONTROL]],
    ['h', [CONTROL]],
    ['j', [CONTROL]],
  ];
  for (const [letter, keys] of letters) holding(keys, () => service.press(letter.charCodeAt(0)));
  service.press(F12);
  // Chromium has heard of all of them before it hears of this one.
  const before = visits('/start');
  await until('the page is loaded again', async () => {
    holding([CONTROL], () => service.press('r'.charCodeAt(0)));
    return until('it is', () => visits('/start') > before, 1000).catch(() => false);
  });
  await isAlone(START);
  t.equal((await allTabs()).length, 1);
  const told = (event: string) => service.events.filter(({ name }) => name === event).length;
  await until('all that were opened are closed', () => told('tabs.onCreated') === told('tabs.onRemoved'));
  t.pass(`${told('tabs.onCreated')} tabs`);
});

t.test("Chromium's own pages are not for visitors, whatever opens them", async t => {
  const { id } = (await tabs('create', { url: 'chrome://settings' })) as Tab;
  const tab = await until('it is loaded', async () => {
    const now = (await tabs('get', id)) as Tab & { title: string };
    return now.status === 'complete' && now.title !== '' && now;
  });
  t.match(tab.title, 'chrome://settings', 'the title of an error page is its address');
  await tabs('remove', id);
});

t.test('links for a new tab or window are opened where one can come back from', async t => {
  const ways: Record<string, () => void> = {
    'for a new tab': () => service.click(0.2, 0.5),
    'for a script': () => service.click(0.7, 0.5),
    'with Control': () => holding([CONTROL], () => service.click(0.2, 0.5)),
    'with Shift': () => holding([SHIFT], () => service.click(0.2, 0.5)),
    'with the middle button': () => {
      service.input({ type: 'button', button: 1, down: true, x: 0.2, y: 0.5 });
      service.input({ type: 'button', button: 1, down: false, x: 0.2, y: 0.5 });
    },
  };
  for (const [way, click] of Object.entries(ways)) {
    await isAlone(START);
    await until(`the link is opened, ${way}`, async () => {
      // Chromium says that developer tools are not allowed, once for each key.
      service.press(ESCAPE);
      click();
      const isOpened = async () => (await allTabs()).some(({ url }) => url.endsWith('/after-start'));
      return until('it is', isOpened, 1500).catch(() => false);
    });
    await isAlone('http://localhost:8000/after-start');
    await until(`back, ${way}`, async () => {
      holding([ALT], () => service.press(LEFT));
      const isBack = async () => (await allTabs())[0]?.url === START;
      return until('it is', isBack, 1000).catch(() => false);
    });
    t.pass(way);
  }
});

t.test('what calls open is left as it was asked for', async t => {
  await isAlone(START);
  const called = (await tabs('create', {
    url: 'http://localhost:8000/called',
    openerTabId: (await allTabs())[0]?.id,
  })) as Tab;
  await until('it is loaded', () => visits('/called') > 0);
  t.same(
    (await allTabs()).map(({ id, active }) => [id === called.id, active]),
    [
      [false, false],
      [true, true],
    ],
  );
  await tabs('remove', called.id);
  await isAlone(START);
});

t.test('a page that has crashed is loaded again, and viewers are told', async t => {
  for (const time of ['the first', 'the second']) {
    const before = visits('/start');
    // Attached to since it was loaded; the extension has a process of its own.
    const pages = await computer.pids(/--type=renderer (?!.*--extension-process)/);
    await computer.exec('sh', '-c', `kill -9 ${pages.join(' ')}`);
    await until(`it is loaded again for ${time} time`, () => visits('/start') > before);
    await isAlone(START);
  }
  const told = service.heard.filter(message => message.type === 'notice');
  t.match(told, [{ code: 'page_crashed' }, { code: 'page_crashed' }]);
  const pauses = [...(await computer.log()).matchAll(/"page crashed","pause_ms":(\d+)/g)].map(([, ms]) => Number(ms));
  t.same(pauses, [1000, 2000], 'after growing pauses');
});
