import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { encodeContent } from '../../../src/protocol/clipboard.js';
import type { LaunchChromium } from '../../../src/protocol/generated/schemas.js';
import { LINK_VERSION, LinkProofs } from '../../../src/protocol/link-proof.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { connectAgent } from '../../../src/server/agent-link/agent-connection.js';
import { AgentHttp } from '../../../src/server/agent-link/agent-http.js';
import { FakeAgent } from '../../fixtures/agents/fake-agent.js';
import { SessionHost, startSession, targetOf } from '../../fixtures/services/session-host.js';
import { Impostor, jsonAnswer } from '../../fixtures/agents/impostor.js';
import { pngOf } from '../../fixtures/media/png.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const NONCE = 'n'.repeat(43);
const UNPROVEN = { name: 'AgentRefusal', message: /did not prove to be it/ };
/** All that may be sent to whoever has not proven anything. */
const HELLO = /^GET \/hello HTTP\/1\.1\r\nhost: agent\r\nberth-nonce: [\w-]{43}\r\nconnection: keep-alive\r\n\r\n$/i;

const nonceIn = (head: string) => /berth-nonce: (\S+)/i.exec(head)?.[1] ?? '';

/** An answer to the service's hello by one who knows that secret and speaks that version. */
function helloOf(head: string, secret: string, version: number): string {
  const nonces = { service: nonceIn(head), agent: NONCE };
  return jsonAnswer({ version, nonce: NONCE, proof: new LinkProofs(secret).ofAgent(nonces, version) });
}

async function fakes(t: Test, options: { linkVersion?: number } = {}) {
  const agent = await new FakeAgent(options).start();
  const host = await new SessionHost().start();
  t.teardown(async () => {
    await host.stop();
    await agent.stop();
  });
  return { agent, host };
}

/** What an agent answers to a hello, as somebody sees who listens on the way. */
async function recorded(agent: FakeAgent): Promise<string> {
  const socket = connect(agent.port, '127.0.0.1');
  socket.end(`GET /hello HTTP/1.1\r\nhost: agent\r\nberth-nonce: ${NONCE}\r\nconnection: close\r\n\r\n`);
  return (await buffer(socket)).toString();
}

t.test('whoever cannot prove to be the agent gets no launch', async t => {
  const { agent, host } = await fakes(t);
  const replay = await recorded(agent);
  t.match(replay, /"proof":"[\w-]{43}"/);
  const accept = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';
  const cases: Record<string, (head: string) => string> = {
    'a proof that was given before': () => replay,
    'the proof of another session': head => helloOf(head, 'another-secret', LINK_VERSION),
    'a proof of another version': head =>
      helloOf(head, agent.secret, LINK_VERSION).replace(`"version":${LINK_VERSION}`, '"version":3'),
    'a proof that is none': () => jsonAnswer({ version: LINK_VERSION, nonce: NONCE, proof: NONCE }),
    'its own nonce as the proof': head => jsonAnswer({ version: LINK_VERSION, nonce: NONCE, proof: nonceIn(head) }),
    'no proof': () => jsonAnswer({ version: LINK_VERSION, nonce: NONCE }),
    'no JSON': () => jsonAnswer('hello'),
    'an answer without end': () => `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1 << 16)}`,
    'a proof with another status': head => helloOf(head, agent.secret, LINK_VERSION).replace('200 OK', '404 Not Found'),
  };
  for (const [name, answer] of Object.entries(cases)) {
    const impostor = await new Impostor().start(t);
    impostor.answer = answer;
    const target = targetOf(agent, { port: impostor.port });
    await t.rejects(host.connect(target), UNPROVEN, name);
    const body = Readable.from(['the profile']);
    await t.rejects(new AgentHttp(target).send({ method: 'PUT', path: '/profile', body }), UNPROVEN, name);
    t.ok(body.destroyed, 'what was to be sent is let go of');
    t.equal(impostor.heard.length, 2, name);
    for (const heard of impostor.heard) t.match(heard, HELLO, name);
    t.not(nonceIn(impostor.heard[0] ?? ''), nonceIn(impostor.heard[1] ?? ''));
  }

  await t.test('the same holds for whoever answers as if linked already, or does not answer', async t => {
    for (const answer of [accept, '']) {
      const impostor = await new Impostor().start(t);
      impostor.answer = () => answer;
      const target = targetOf(agent, { port: impostor.port });
      await t.rejects(host.connect(target, AbortSignal.timeout(500)), { name: 'TimeoutError' });
      await t.rejects(
        new AgentHttp(target).send({ method: 'GET', path: '/profile', signal: AbortSignal.timeout(100) }),
      );
      for (const heard of impostor.heard) t.match(heard, HELLO);
    }
  });
});

t.test("an impostor in the agent's place gets nothing, and the agent is linked again when it is back", async t => {
  const { agent, host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  await viewer.saw();
  const replay = await recorded(agent);
  await agent.stop();
  const impostor = await new Impostor().start(t, agent.port);
  impostor.answer = () => replay;
  await until('it is tried several times', () => impostor.heard.length > 3);
  await t.rejects(host.connection().http.send({ method: 'GET', path: '/profile' }), UNPROVEN);
  viewer.input({ type: 'key', down: true, keysym: 0x61 });
  await impostor.stop();
  for (const heard of impostor.heard) if (heard !== '') t.match(heard, HELLO);
  const launches = agent.controls.length;
  await agent.start();
  await until('it is told again what it is', () =>
    agent.controls.slice(launches).some(({ type }) => type === 'launch'),
  );
});

t.test('a proof of the service on one connection is invalid on another', async t => {
  const { agent } = await fakes(t);
  const proofs = new LinkProofs(agent.secret);
  const socket = connect(agent.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  const ask = async (head: string) => {
    socket.write(head);
    return String((await once(socket, 'data'))[0]);
  };
  const answer = await ask(`GET /hello HTTP/1.1\r\nhost: agent\r\nberth-nonce: ${NONCE}\r\n\r\n`);
  const nonce = /"nonce":"([\w-]+)"/.exec(answer)?.[1] ?? '';
  const authorization = proofs.ofService({ service: NONCE, agent: nonce });
  const get = (value: string) => `GET /downloads HTTP/1.1\r\nhost: agent\r\nauthorization: ${value}\r\n\r\n`;
  t.match(await ask(get(authorization)), /^HTTP\/1\.1 404/, 'it is on this one');
  t.match(await ask(get(`Bearer ${agent.secret}`)), /^HTTP\/1\.1 401/, 'not the secret itself');
  t.match(
    await ask(get(`Berth ${proofs.ofAgent({ service: NONCE, agent: nonce }, LINK_VERSION)}`)),
    /^HTTP\/1\.1 401/,
    "nor the agent's proof",
  );
  const other = connect(agent.port, '127.0.0.1');
  other.end(get(authorization));
  t.match((await buffer(other)).toString(), /^HTTP\/1\.1 401/);
});

t.test('links and requests outlast the time limit of the proof', async t => {
  const { agent, host } = await startSession(t);
  agent.onRequest = (_request, response) => void setTimeout(() => response.end('late'), 2500);
  const answer = await host.connection().http.send({ method: 'GET', path: '/profile' });
  t.equal((await buffer(answer)).toString(), 'late');
  t.equal(agent.connections, 1, 'the link is the same');
});

t.test('an agent of version 1 is still served, without proofs', async t => {
  const { agent, host } = await fakes(t, { linkVersion: 1 });
  await t.rejects(host.connect(targetOf(agent, { secret: 'wrong' })), {
    name: 'AgentRefusal',
    message: /refused the secret/,
  });
  await host.connect(targetOf(agent));
  await until('it is told what it is', () => agent.controls[0]?.type === 'launch');
  agent.onRequest = (_request, response) => response.end('the profile');
  const answer = await host.connection().http.send({ method: 'GET', path: '/profile' });
  t.equal((await buffer(answer)).toString(), 'the profile');
  const viewer = await StreamClient.join(host.url());
  await viewer.saw();
  viewer.tell({ type: 'keepAlive' });
  await until('it gets a keep-alive by its old name', () => agent.controls.some(({ type }) => type === 'touch'));
});

t.test('an agent that does not know places of keys gets keys without', async t => {
  for (const [linkVersion, bytes] of [
    [1, '130161000000'],
    [LINK_VERSION, '18016100000018'],
  ] as const) {
    const { agent, host } = await fakes(t, { linkVersion });
    await host.connect(targetOf(agent));
    const viewer = await StreamClient.join(StreamClient.version(host.url(), 3));
    const welcome = await viewer.heard('welcome');
    t.equal(welcome.physical_keys, true);
    viewer.input({ type: 'key', down: true, keysym: 0x61, code: 24 });
    const keys = () => agent.received.map(({ bytes: sent }) => sent.toString('hex')).filter(hex => /^1[38]/.test(hex));
    await until('the key', () => keys().length > 0);
    t.same(keys(), [bytes], `version ${linkVersion}`);
  }
});

t.test('an agent that takes only text for the clipboard gets that', async t => {
  const content = Buffer.from(encodeContent({ text: 'né', html: '<b>né</b>', picture: pngOf(2, 2) }));
  for (const [linkVersion, wanted] of [
    [1, Buffer.from([MessageType.clipboard, 0x6e, 0xc3, 0xa9])],
    [LINK_VERSION, content],
  ] as const) {
    const { agent, host } = await fakes(t, { linkVersion });
    await host.connect(targetOf(agent));
    const viewer = await StreamClient.join(host.url());
    viewer.send(content);
    const sent = () => agent.received.filter(({ bytes }) => bytes[0] === wanted[0]);
    await until('the content', () => sent().length > 0);
    t.same(sent()[0]?.bytes, wanted, `version ${linkVersion}`);
  }
});

t.test('an agent that does not know time zones is launched without one', async t => {
  for (const [linkVersion, timezone] of [
    [1, undefined],
    [LINK_VERSION, 'Europe/Berlin'],
  ] as const) {
    const { agent, host } = await fakes(t, { linkVersion });
    const { launch } = targetOf(agent);
    if (!('chromium' in launch)) throw new Error('not a browser');
    await host.connect(
      targetOf(agent, { launch: { ...launch, chromium: { ...launch.chromium, timezone: 'Europe/Berlin' } } }),
    );
    await until('it is told what it is', () => agent.controls[0]?.type === 'launch');
    t.equal((agent.controls[0] as LaunchChromium).chromium.timezone, timezone, `version ${linkVersion}`);
  }
});

t.test('fingers stay a mouse where the agent does not know those beside a page', async t => {
  for (const [linkVersion, pageTouch] of [
    [1, false],
    [LINK_VERSION, true],
  ] as const) {
    const { agent, host } = await fakes(t, { linkVersion });
    const { launch } = targetOf(agent);
    if (!('chromium' in launch)) throw new Error('not a browser');
    await host.connect(
      targetOf(agent, { launch: { ...launch, chromium: { ...launch.chromium, user_agent: 'chrome_android' } } }),
    );
    const viewer = await StreamClient.join(StreamClient.version(host.url(), 3));
    t.equal((await viewer.heard('welcome')).page_touch, pageTouch, `version ${linkVersion}`);
  }
});

t.test('an agent of an older image is not taken to know what it does not say', async t => {
  const agent = await new Impostor().start(t);
  agent.answer = head => helloOf(head, 'secret', LINK_VERSION);
  const address = { host: '127.0.0.1', port: agent.port, secret: 'secret', linkVersion: LINK_VERSION };
  const { socket, knows } = await connectAgent(address, 5000);
  t.same(knows, {
    keepAlive: false,
    timezone: false,
    physicalKeys: false,
    pageFingers: false,
    clipboardContent: false,
  });
  socket.destroy();
});

t.test('an agent whose version the service does not speak is refused with a sentence', async t => {
  const { agent, host } = await fakes(t);
  for (const linkVersion of [0, 3, NaN]) {
    const message = `The session's agent speaks version ${linkVersion} of the link's protocol, this service 1 to 2.`;
    await t.rejects(host.connect(targetOf(agent, { linkVersion })), { name: 'AgentRefusal', message });
  }
  t.equal(agent.connections, 0);
  const newer = await new Impostor().start(t);
  newer.answer = head => helloOf(head, agent.secret, 3);
  await t.rejects(host.connect(targetOf(agent, { port: newer.port })), { message: /agent speaks version 3/ });
  for (const heard of newer.heard) t.match(heard, HELLO);
  const older = await fakes(t, { linkVersion: 1 });
  const stale = host.connect(targetOf(older.agent, { linkVersion: LINK_VERSION }));
  await t.rejects(stale, { name: 'AgentRefusal', message: /build the images anew/ });
});
