/** What an agent can send besides messages is limited, too. */
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { AgentHttp } from '../../../src/server/agent-link/agent-http.js';
import { Link } from '../../../src/server/agent-link/link.js';
import { FakeAgent } from '../../fixtures/agents/fake-agent.js';
import { targetOf } from '../../fixtures/services/session-host.js';
import { until } from '../../fixtures/until.js';

const log = pino({ level: 'silent' });
const NOTICE = { type: 'notice', code: 'text_not_typed', message: 'anything' } as const;
const INFORMATION = 'HTTP/1.1 102 Processing\r\n\r\n';

/** An agent with a link, and when its notices came. */
async function linked(t: Test) {
  const agent = await new FakeAgent().start();
  const heard: number[] = [];
  let losses = 0;
  const link = new Link(
    targetOf(agent),
    targetOf(agent).launch,
    {
      opened: () => undefined,
      lost: () => losses++,
      media: () => undefined,
      control: ({ type }) => type === 'notice' && heard.push(performance.now()),
    },
    log,
  );
  t.teardown(async () => {
    link.close();
    await agent.stop();
  });
  await link.open();
  return { agent, heard, losses: () => losses };
}

t.test('pongs that nobody asked for are throttled like messages', async t => {
  const { agent, heard } = await linked(t);
  const [socket] = agent.sockets;
  for (let i = 0; i < 600; i++) socket?.pong();
  // What comes with them is read at once, what comes next after a short pause, all else once the debt is paid.
  for (let count = 1; count <= 3; count++) {
    agent.tell(NOTICE);
    await until(`notice ${count} is heard`, () => heard.length === count);
  }
  t.ok((heard[2] ?? 0) - (heard[0] ?? 0) > 1000, 'after a pause of about two seconds');
});

t.test('a message in many parts ends the link', async t => {
  const { agent, losses } = await linked(t);
  const [socket] = agent.sockets;
  for (let i = 0; i < 100; i++) socket?.send('', { fin: false, binary: false });
  await until('it is lost', () => losses() === 1);
});

t.test('informational answers end a request', async t => {
  const agent = await new FakeAgent().start();
  t.teardown(() => agent.stop());
  let isClosed = false;
  agent.onRequest = ({ socket }) => {
    socket.once('close', () => (isClosed = true));
    for (let i = 0; i < 100; i++) socket.write(INFORMATION);
  };
  await t.rejects(new AgentHttp(targetOf(agent)).send({ method: 'GET', path: '/anything' }), /not answer properly/);
  await until('its connection is closed', () => isClosed);
});
