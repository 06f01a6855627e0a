// tags: containers
import t, { type Test } from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Computer, SECRET } from './computer.js';
import { launchOf, Service } from './service.js';

const AGENT = /^node .*agent\/load\.cjs/;
const CHROMIUM = /^\/usr\/lib\/chromium\/chromium (?!.*--type=)/;
const STAND = [/^Xvfb/, /^openbox/, /^pulseaudio/];

/** A page that says what has been typed into it since it was loaded, and that it goes on. */
const PAGE = `<title>typing</title><body><input autofocus style="position:fixed;inset:0"><script>
const since = Math.random();
let count = 0;
addEventListener('input', event => fetch('/report', { method: 'POST', body: JSON.stringify({ since, text: event.target.value }) }));
setInterval(() => (document.title = 'typing ' + ++count), 200);
</script>`;

interface Report {
  since: number;
  text: string;
}

/** Kills the agent; gives when, in milliseconds of this process' clock. */
async function killAgent(computer: Computer): Promise<number> {
  await computer.kill(AGENT);
  return performance.now();
}

/** The service's next link, as soon as there is an agent again. */
async function relink(t: Test, computer: Computer, launch = launchOf()): Promise<Service> {
  const service = await Service.connect(t, computer);
  service.tell(launch);
  service.watch();
  return service;
}

const count = async (computer: Computer) => (await computer.pids(/./)).length;
const get = (computer: Computer, path: string) => computer.request('GET', path);

/** A session on the page above with `text` typed into it, watched. */
async function begin(t: Test, launch = launchOf({ start_url: 'http://localhost:8000/' })) {
  const computer = await Computer.start(t);
  const service = await Service.connect(t, computer);
  const site = await computer.serve(PAGE);
  service.watch();
  await service.run(launch);
  await until('the page is there', () => site.visits.length === 1);
  const reports = () => site.reports as Report[];
  const type = async (by: Service, letter: string) => {
    const before = reports().length;
    await until(`${letter} is typed`, () => {
      by.click(0.9, 0.5);
      by.press(letter.charCodeAt(0));
      return until('it is', () => reports().length > before && reports().at(-1), 500).catch(() => false);
    });
    return reports().at(-1) as Report;
  };
  return { computer, service, site, type, launch };
}

t.test('a killed agent is restarted in place, and all its programs continue', async t => {
  const { computer, service, site, type, launch } = await begin(t);
  const { since, text } = await type(service, 'a');
  const kept = await Promise.all([CHROMIUM, ...STAND].map(pattern => computer.pids(pattern)));
  await service.call('tabs.query', {});
  const processes = await count(computer);
  let last = text;

  for (const time of ['first', 'second', 'third']) {
    const killed = await killAgent(computer);
    const next = await relink(t, computer, launch);
    await until('a key frame', () => next.keyFrames().length > 0);
    t.comment(`${time} time: ${Math.round(performance.now() - killed)} ms without a picture`);
    const tabs = (await next.call('tabs.query', {})) as { title: string }[];
    await until('its window is listed', async () => ((await next.call('windows.list')) as unknown[]).length === 1);
    t.equal(tabs.length, 1, `tabs after ${Math.round(performance.now() - killed)} ms`);
    t.match(tabs[0]?.title, /^typing \d+$/);
    await until('it is told to run', () => next.state === 'running');
    t.same(
      next.states.filter(({ state }) => state !== 'running' && state !== 'restarting'),
      [],
      'nothing starts anew',
    );
    const display = await until('the size', () => next.of(MessageType.display)[0]);
    t.same([display.readUInt16LE(1), display.readUInt16LE(3)], [1280, 720]);
    const report = await type(next, 'b');
    t.equal(report.since, since, 'the page is the same');
    t.ok(report.text.includes(last) && report.text.length > last.length, `${last} is still there: ${report.text}`);
    last = report.text;
    next.close();
  }
  t.equal(site.visits.length, 1, 'no page was loaded again');
  t.same(await Promise.all([CHROMIUM, ...STAND].map(pattern => computer.pids(pattern))), kept);
  await until('as many processes as before', async () => (await count(computer)) === processes).catch(() => undefined);
  t.equal(await count(computer), processes);
  t.notMatch(await computer.log(), SECRET);

  await t.test('on SIGTERM it exits in time', async t => {
    const { code, ms } = await computer.stop();
    t.equal(code, 0, 'by itself');
    t.comment(`after ${Math.round(ms)} ms`);
  });
});

t.test('a new agent takes over what nobody tells it again', async t => {
  const { computer, service, type, launch } = await begin(t);
  await service.call('tabs.query', {});
  await type(service, 'a');

  await t.test('the time since the last input', async t => {
    const typed = performance.now();
    await t.rejects(until('time goes by', () => false, 1500));
    await killAgent(computer);
    const next = await relink(t, computer, launch);
    const { idle_ms } = await until('it is told', () => next.activities[0]);
    const idle = performance.now() - typed;
    t.ok(idle_ms > 1500 && idle_ms < idle + 1500, `${idle_ms} ms after ${Math.round(idle)} ms`);
    next.close();
  });

  await t.test('the size of the display', async t => {
    const next = await relink(t, computer, launch);
    const wanted = Buffer.from([MessageType.setDisplay, 0, 0, 0, 0, 30, 1, 0]);
    wanted.writeUInt16LE(800, 1);
    wanted.writeUInt16LE(600, 3);
    next.send(wanted);
    await until('it is smaller', () => next.of(MessageType.display).some(it => it.readUInt16LE(1) === 800));
    await killAgent(computer);
    const then = await relink(t, computer, launch);
    const display = await until('the size', () => then.of(MessageType.display)[0]);
    t.same([display.readUInt16LE(1), display.readUInt16LE(3)], [800, 600]);
    await until('a key frame', () => then.keyFrames().length > 0);
    t.equal(then.of(MessageType.display).filter(it => it.readUInt16LE(1) !== 800).length, 0);
    then.close();
    next.close();
  });

  await t.test('downloads, also those made while there was no agent', async t => {
    const list = async () =>
      ((await (await get(computer, '/downloads')).json()) as { downloads: { id: string; name: string }[] }).downloads;
    await computer.exec('sh', '-c', 'echo one >/tmp/downloads/one.txt');
    const [before] = await until('it is offered', async () => {
      const found = await list();
      return found.length === 1 && found;
    });
    await computer.exec(
      'sh',
      '-c',
      'kill -9 $(pidof node | tr " " "\\n" | while read p; do grep -q agent/load.cjs /proc/$p/cmdline && echo $p; done); echo two >/tmp/downloads/two.txt',
    );
    const after = await until('both are offered', async () => {
      const found = await list().catch(() => []);
      return found.length === 2 && found;
    });
    t.same(after[0], before);
    t.match(after[1], { name: 'two.txt' });
    t.equal(await (await get(computer, `/downloads/${before?.id ?? ''}`)).text(), 'one\n');
  });

  await t.test("viewers' uploads", async t => {
    const { id } = (await (await computer.request('POST', '/uploads/a.txt', 'text')).json()) as { id: string };
    await killAgent(computer);
    const next = await relink(t, computer, launch);
    await next.call('tabs.query', {});
    // Where there were no such upload it would not come to look for who wants it.
    await t.rejects(next.call('files.choose', [id]), { code: 'no_chooser' });
    next.close();
  });

  await t.test('the pasted text', async t => {
    const next = await relink(t, computer, launch);
    next.send(Buffer.concat([Buffer.from([MessageType.clipboard]), Buffer.from('c')]));
    await killAgent(computer);
    const then = await relink(t, computer, launch);
    await until('a picture', () => then.keyFrames().length > 0);
    const before = await type(then, 'x');
    await until('it is pasted', async () => {
      then.input({ type: 'key', down: true, keysym: 0xffe3 });
      then.press(0x76);
      then.input({ type: 'key', down: false, keysym: 0xffe3 });
      const { text } = await type(then, 'y');
      return text.slice(before.text.length).includes('c');
    });
    next.close();
    then.close();
  });
});

t.test('a program that dies with the agent is restarted', async t => {
  const { computer, service, site, launch } = await begin(t);
  await service.call('tabs.query', {});
  const both = async (pattern: RegExp) => {
    const [agent] = await computer.pids(AGENT);
    const [other] = await computer.pids(pattern);
    await computer.exec('sh', '-c', `kill -9 ${agent} ${other}`);
    return other;
  };
  for (const pattern of [/^berth-display/, /^pulseaudio/, /^openbox/, /^Xvfb/, CHROMIUM]) {
    const old = await both(pattern);
    const next = await relink(t, computer, launch);
    await until('a key frame', () => next.keyFrames().length > 0);
    await until('it runs', () => next.state === 'running');
    const now = await until('another', async () => (await computer.pids(pattern)).find(pid => pid !== old));
    t.ok(now, String(pattern));
    t.equal(((await next.call('tabs.query', {})) as unknown[]).length, 1);
    next.close();
  }
  t.ok(site.visits.every(({ path }) => path === '/'));
});

t.test('an agent is killed before there is a session', async t => {
  const computer = await Computer.start(t);
  const first = await Service.connect(t, computer);
  await until('its state', () => first.state === 'idle');
  const killed = await killAgent(computer);
  const service = await Service.connect(t, computer);
  t.comment(`${Math.round(performance.now() - killed)} ms until there is another`);
  await until('the state', () => service.states.length > 0);
  t.equal(service.state, 'idle');
  await service.run(launchOf());
  t.equal(((await service.call('tabs.query', {})) as unknown[]).length, 1);
});

t.test('an agent is killed while the browser starts', async t => {
  const computer = await Computer.start(t);
  const site = await computer.serve(PAGE);
  const launch = launchOf({ start_url: 'http://localhost:8000/', adblock: true });
  const first = await Service.connect(t, computer);
  first.tell(launch);
  await killAgent(computer);
  const service = await relink(t, computer, launch);
  await until('it runs', () => service.state === 'running');
  await until('the page was asked for', () => site.visits.length > 0);
  t.equal((await computer.pids(CHROMIUM)).length, 1);
  t.equal(((await service.call('tabs.query', {})) as unknown[]).length, 1);
});

t.test('an agent that cannot be kept running is given up on, and the container says so', async t => {
  const computer = await Computer.start(t);
  for (let killed = 0; killed < 6; killed++) await killAgent(computer);
  t.equal(await computer.ended(), 70);
});
