// tags: containers
import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { launchOf, Service } from './service.js';

const CHROMIUM = /^\/usr\/lib\/chromium\/chromium (?!.*--type=)/;
/** Keysyms of the keys that close a window with all its tabs. */
const CONTROL = 0xffe3;
const SHIFT = 0xffe1;
const W = 0x57;

const PROFILE = '/home/berth/profile/Default';

/** The first page opens the second one when it is clicked, once. */
const LINK_PAGE = `<title>tabs</title><body><script>
if (location.pathname === '/first') addEventListener('click', () => open('/second'), { once: true });
addEventListener('keydown', event => fetch('/report', { method: 'POST', body: JSON.stringify(event.key) }));
</script>`;

/** A running session on the page above, watched. */
async function begin(t: { teardown(handler: () => unknown): void }) {
  const computer = await Computer.start(t);
  const service = await Service.connect(t, computer);
  const site = await computer.serve(LINK_PAGE);
  service.watch();
  await service.run(launchOf({ start_url: 'http://localhost:8000/first' }));
  await until('the page was asked for', () => site.visits.length === 1);
  return { computer, service, site };
}

/** Opens a second tab and waits until Chromium has written it down. */
async function openSecondTab({ computer, service, site }: Awaited<ReturnType<typeof begin>>): Promise<void> {
  await until('a second tab', () => {
    service.click(0.5, 0.5);
    return until('it opens', () => site.visits.some(({ path }) => path === '/second'), 1000).catch(() => false);
  });
  await until('it is written down', async () => {
    const files = await computer.exec('sh', '-c', `cat ${PROFILE}/Sessions/Session_* || true`);
    return files.includes('/second');
  });
}

t.test('Chromium is killed', async t => {
  const session = await begin(t);
  const { computer, service, site } = session;

  await t.test('right after its start: it comes back with the start page', async t => {
    site.visits.length = 0;
    const told = service.states.length;
    await computer.kill(CHROMIUM);
    const begun = performance.now();
    await until('it runs again', () => service.states.slice(told).some(({ state }) => state === 'running'));
    await until('the page is back', () => site.visits.length > 0);
    t.equal(service.states[told]?.state, 'restarting');
    t.comment(`back after ${Math.round(performance.now() - begun)} ms`);
    t.equal(site.visits[0]?.path, '/first');
  });

  await t.test('later: it comes back with its tabs', async t => {
    await openSecondTab(session);
    site.visits.length = 0;
    await computer.kill(CHROMIUM);
    const begun = performance.now();
    await until('the page in front is back', () => site.visits.some(({ path }) => path === '/second'));
    t.comment(`back after ${Math.round(performance.now() - begun)} ms`);
    // Chromium loads the tabs behind when it has time.
    await until('the page behind is back', () => site.visits.some(({ path }) => path === '/first'));
  });

  await t.test(
    'before its tabs are written down: it comes back with the start page, and writes down later ones',
    async t => {
      // With this it would not write any down until it is told to restore those of before, or not.
      await until('its profile says that it runs', async () =>
        (await computer.exec('cat', `${PROFILE}/Preferences`)).includes('"exit_type":"Crashed"'),
      );
      site.visits.length = 0;
      const [pid] = await computer.pids(CHROMIUM);
      await computer.exec('sh', '-c', `rm -r ${PROFILE}/Sessions; kill -9 ${pid}`);
      await until('the page is back', () => site.visits.length > 0);
      t.equal(site.visits[0]?.path, '/first');
      await openSecondTab(session);
    },
  );

  await t.test('its last window is closed: it opens the start page', async t => {
    await until('the page has the keyboard', () => {
      service.click(0.5, 0.5);
      service.press(0x61);
      return until('it hears', () => site.reports.includes('a'), 300).catch(() => false);
    });
    site.visits.length = 0;
    for (const [down, keysym] of [
      [true, CONTROL],
      [true, SHIFT],
      [true, W],
      [false, W],
      [false, SHIFT],
      [false, CONTROL],
    ] as const) {
      service.input({ type: 'key', down, keysym });
    }
    await until('the page is back', () => site.visits.length > 0);
    t.same(
      site.visits.map(({ path }) => path),
      ['/first'],
    );
  });
});

t.test('what it depends on is killed', async t => {
  const session = await begin(t);
  const { computer, service, site } = session;

  await t.test('the display helper: a key frame is sent unasked', async t => {
    await until('a picture', () => service.keyFrames().length > 0);
    const from = service.messages.length;
    const begun = performance.now();
    await computer.kill(/^berth-display/);
    // The old one may still have sent key frames.
    const display = await until('the size is told again', () => service.of(MessageType.display, from)[0]);
    t.same([display.readUInt16LE(1), display.readUInt16LE(3)], [1280, 720], 'the size is the same');
    await until('a key frame', () => service.keyFrames(service.messages.indexOf(display)).length > 0);
    t.equal(service.state, 'running');
    t.comment(`${Math.round(performance.now() - begun)} ms from the order to kill`);
  });

  await t.test('PulseAudio', async t => {
    const old = await computer.kill(/^pulseaudio/);
    const now = await until('another', async () => (await computer.pids(/^pulseaudio/)).find(pid => pid !== old));
    t.not(now, old);
    t.equal(service.state, 'running');
  });

  await t.test('the window manager', async t => {
    const old = await computer.kill(/^openbox/);
    const now = await until('another', async () => (await computer.pids(/^openbox/)).find(pid => pid !== old));
    t.not(now, old);
  });

  await t.test('the X server: everything restarts in place, with its tabs', async t => {
    await openSecondTab(session);
    site.visits.length = 0;
    const told = service.states.length;
    const from = service.messages.length;
    await computer.kill(/^Xvfb/);
    await until('it runs again', () => service.states.slice(told).some(({ state }) => state === 'running'));
    await until('the page in front is back', () => site.visits.some(({ path }) => path === '/second'));
    await until('a key frame', () => service.keyFrames(from).length > 0);
    t.equal(service.states[told]?.state, 'restarting');
    t.ok(service.isOpen, 'the link stays');
  });
});

t.test('a Chromium that cannot be kept running fails with a reason', async t => {
  const { computer, service } = await begin(t);
  for (let killed = 0; service.state !== 'failed';) {
    killed = await computer.kill(CHROMIUM);
    await until('it starts again or is given up', async () => {
      if (service.state === 'failed') return true;
      // The one that was killed may still be there.
      const pids = await computer.pids(CHROMIUM);
      return pids.length > 0 && !pids.includes(killed);
    });
  }
  t.match(service.states.at(-1)?.message, /^chromium ended with SIGKILL, 6 times within 60 s$/);
  t.ok(service.isOpen);
});
