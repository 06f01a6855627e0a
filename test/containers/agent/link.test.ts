// tags: containers
import type { Socket } from 'node:net';
import t from 'tap';
import { WebSocket } from 'ws';
import type { Launched } from '../../../src/protocol/generated/schemas.js';
import { LINK_VERSION } from '../../../src/protocol/link-proof.js';
import { LINK_PATH, MessageType } from '../../../src/protocol/message-type.js';
import { connectAgent } from '../../../src/server/agent-link/agent-connection.js';
import { until } from '../../fixtures/until.js';
import { Computer, SECRET } from './computer.js';
import { launchOf, Service } from './service.js';

const KEYBOARD_PAGE = `<body><script>
addEventListener('keydown', e => fetch('/report', { method: 'POST', body: JSON.stringify(e.key) }));
addEventListener('keyup', e => fetch('/report', { method: 'POST', body: JSON.stringify(e.key + ' is let go') }));
</script>`;

/** The HTTP status that refuses a link. */
function refusal(
  computer: Computer,
  headers: Record<string, string>,
  on?: { path: string; socket: Socket },
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const connection = on === undefined ? {} : { createConnection: () => on.socket };
    const socket = new WebSocket(computer.url(on?.path ?? LINK_PATH, 'ws'), { headers, ...connection });
    socket.once('open', () => reject(new Error('the link was opened')));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
    socket.once('error', reject);
  });
}

t.test('a session over the link', async t => {
  const computer = await Computer.start(t);
  const service = await Service.connect(t, computer);

  await t.test('a new link is told the state and the activity', async t => {
    await until('both came', () => service.states.length > 0 && service.activities.length > 0);
    t.equal(service.states[0]?.state, 'idle');
    t.type(service.activities[0]?.offline_ms, 'number');
  });

  await t.test('whoever does not prove to be the service is refused with 401', async t => {
    t.equal(await refusal(computer, {}), 401, 'no header');
    t.equal(await refusal(computer, { authorization: 'Bearer wrong' }), 401, 'a wrong secret');
    t.equal(await refusal(computer, { authorization: `Bearer ${SECRET}` }), 401, 'the secret itself');
    const { socket, authorization } = await connectAgent(computer.agent, 5000);
    t.equal(await refusal(computer, { authorization }), 401, 'the proof of another connection');
    t.equal(await refusal(computer, { authorization }, { path: '/linkx', socket }), 401, 'another path');
    t.equal((await fetch(computer.url('/hello'))).status, 401, 'a hello without a nonce');
    t.equal((await computer.request('GET', '/link')).status, 404, 'no WebSocket');
    t.ok(service.isOpen, 'the link of the service stays');
  });

  await t.test('whoever does not know the secret is not accepted as the agent', async t => {
    const wrong = connectAgent({ ...computer.agent, secret: 'wrong' }, 5000);
    await t.rejects(wrong, { name: 'AgentRefusal', message: /did not prove to be it/ });
  });

  await t.test('the secret is not passed to programs', async t => {
    const pids = await until('they run', async () => {
      const found = await computer.pids(/^(Xvfb|openbox|pulseaudio|berth-display) /);
      return found.length >= 4 && found;
    });
    const environments = await computer.exec('cat', ...pids.map(pid => `/proc/${pid}/environ`));
    t.match(environments, 'DISPLAY=:0');
    t.notMatch(environments, SECRET);
  });

  await t.test('malformed messages are ignored', async t => {
    for (const text of ['', '{', 'null', '{"type":"launch"}', '{"type":"format"}']) service.tell(text);
    for (const bytes of [[], [0xff], [MessageType.key], [MessageType.setDisplay, 0, 0, 0, 0, 0, 0, 0]]) {
      service.send(Uint8Array.from(bytes));
    }
    await t.rejects(
      until('it closes', () => !service.isOpen, 300),
      'the link stays open',
    );
    t.equal(service.state, 'idle');
  });

  await t.test('a launch that it cannot parse is answered with an error', async () => {
    const answers = () => service.heard.filter((message): message is Launched => message.type === 'launched');
    const before = answers().length;
    service.tell({ ...launchOf(), later: true });
    await until('the answer', () => answers().length > before);
    t.match(answers().at(-1)?.error, /does not understand it/);
    t.equal(service.state, 'idle');
  });

  const site = await computer.serve(KEYBOARD_PAGE);

  await t.test('launch opens the page at the requested size', async t => {
    const heard = service.heard.length;
    await service.run(launchOf({ start_url: 'http://localhost:8000/start' }));
    const answer = service.heard.slice(heard).find(({ type }) => type === 'launched' || type === 'state');
    t.same(answer, { type: 'launched' }, 'it is answered before programs are started');
    t.same(
      service.states.map(({ state }) => state).filter((state, i, all) => state !== all[i - 1]),
      ['idle', 'starting', 'running'],
    );
    const display = await until('the size', () => service.of(MessageType.display)[0]);
    t.same([display.readUInt16LE(1), display.readUInt16LE(3)], [1280, 720]);
    await until('the page was asked for', () => site.visits.length === 1);
    t.equal(site.visits[0]?.path, '/start');
  });

  await t.test('a repeated launch is answered with the state and changes nothing', async t => {
    const told = service.states.length;
    service.tell(launchOf({ start_url: 'http://localhost:8000/other' }));
    await until('an answer', () => service.states.length > told);
    t.equal(service.state, 'running');
    t.equal(site.visits.length, 1);
  });

  await t.test('nothing is sent until somebody watches, then a key frame', async t => {
    t.equal(service.of(MessageType.video).length, 0);
    service.watch();
    await until('a key frame', () => service.keyFrames().length > 0);
  });

  await t.test('a key reaches the page and counts as input', async () => {
    await until('the page hears', () => {
      service.press(0x61);
      return until('a report', () => site.reports.includes('a'), 300).catch(() => false);
    });
    await until('the input is told', () => (service.activities.at(-1)?.idle_ms ?? Infinity) < 2100);
  });

  await t.test('viewers are reported at once', async t => {
    /** What was told before the answer to a call that was made after `message`. */
    const toldAfter = async (message: object) => {
      service.tell(message);
      await t.rejects(service.call('nothing'));
      return service.activities.at(-1)?.offline_ms;
    };
    t.equal(await toldAfter({ type: 'presence', viewers: 2 }), null, 'online');
    const second = await Service.connect(t, computer);
    second.tell({ type: 'presence', viewers: 1 });
    await t.rejects(second.call('nothing'));
    service.watch(false);
    t.equal(await toldAfter({ type: 'presence', viewers: 0 }), null, 'one viewer is left');
    second.close();
    await until('offline', () => typeof service.activities.at(-1)?.offline_ms === 'number');
  });

  await t.test('a second link sees the same session', async () => {
    const second = await Service.connect(t, computer);
    second.watch();
    await until(
      'state, size, cursor and a key frame',
      () =>
        second.state === 'running' &&
        second.of(MessageType.display).length > 0 &&
        second.of(MessageType.cursor).length > 0 &&
        second.keyFrames().length > 0,
    );
    second.close();
  });

  await t.test('a key held when the link is lost is released', async t => {
    const second = await Service.connect(t, computer);
    second.input({ type: 'key', down: true, keysym: 0x62 });
    await until('it is pressed', () => site.reports.includes('b'));
    t.notOk(site.reports.includes('b is let go'));
    second.close();
    await until('it is let go', () => site.reports.includes('b is let go'));
  });

  await t.test('on SIGTERM it exits in time', async t => {
    const { code, ms } = await computer.stop();
    t.equal(code, 0, 'by itself');
    t.comment(`after ${Math.round(ms)} ms`);
    t.notMatch(await computer.log(), SECRET);
  });
});

t.test('in a container started by a service of version 1 it speaks that version', async t => {
  const computer = await Computer.start(t, { linkVersion: 1 });
  const service = await Service.connect(t, computer);
  await until('its state', () => service.state === 'idle');
  service.tell(launchOf());
  await until('it is launched', () => service.heard.some(({ type }) => type === 'launched'));
  t.equal((await computer.request('GET', '/downloads')).status, 200);
  const now = connectAgent({ ...computer.agent, linkVersion: LINK_VERSION }, 5000);
  await t.rejects(now, { name: 'AgentRefusal', message: /build the images anew/ });
  t.equal(await refusal(computer, { authorization: 'Bearer wrong' }), 401);
});
