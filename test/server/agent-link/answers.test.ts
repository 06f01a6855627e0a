/** What an agent answers to requests is limited in time and rate, whatever it sends. */
import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { AgentHttp } from '../../../src/server/agent-link/agent-http.js';
import { agentJson } from '../../../src/server/http/operations/agent.js';
import { FakeAgent } from '../../fixtures/agents/fake-agent.js';
import { targetOf } from '../../fixtures/services/session-host.js';
import { until } from '../../fixtures/until.js';

const REQUEST = { method: 'GET', path: '/anything' } as const;
const MIB = 1 << 20;
const SHORT_MS = 200;

async function agentThat(t: Test, onRequest: NonNullable<FakeAgent['onRequest']>, silenceMs?: number) {
  const agent = await new FakeAgent().start();
  t.teardown(() => agent.stop());
  agent.onRequest = onRequest;
  return new AgentHttp(targetOf(agent), silenceMs);
}

t.test('answers of a session are read at 32 MiB a second, all together', async t => {
  let open = 0;
  const agent = await agentThat(t, (_request, response) => {
    open++;
    response.once('close', () => open--);
    const chunk = Buffer.alloc(MIB);
    const write = () => void (response.write(chunk) ? setImmediate(write) : response.once('drain', write));
    write();
  });
  const begun = performance.now();
  const answers = await Promise.all([agent.send(REQUEST), agent.send(REQUEST)]);
  let bytes = 0;
  for (const answer of answers) answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
  // Twice as much as may come at once.
  await until('they have come', () => bytes > 80 * MIB);
  const seconds = (performance.now() - begun) / 1000;
  t.ok(bytes < (64 + 32 * seconds + 2) * MIB, `${bytes} bytes in ${seconds} s`);
  for (const answer of answers) answer.destroy();
  await until('connections of answers that nobody reads are closed', () => open === 0);
});

t.test('tiny pieces of an answer count as more than they have', async t => {
  let isOver = false;
  const agent = await agentThat(t, (_request, response) => {
    response.once('close', () => (isOver = true));
    const write = () => {
      for (let i = 0; i < 1000; i++) response.write('x');
      if (!isOver) setImmediate(write);
    };
    write();
  });
  const begun = performance.now();
  const answer = await agent.send(REQUEST);
  let pieces = 0;
  answer.on('data', () => pieces++);
  // Twice as many as may come at once.
  await until('they have come', () => pieces > 20_000);
  const seconds = (performance.now() - begun) / 1000;
  t.ok(pieces < 16_384 + 8192 * seconds + 1000, `${pieces} in ${seconds} s`);
  answer.destroy();
  await until('its connection is closed', () => isOver);
});

t.test('an answer whose head does not come to its end is given up', async t => {
  let isClosed = false;
  const agent = await agentThat(
    t,
    ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      const trickle = setInterval(() => socket.write('x'), SHORT_MS / 10);
      socket.once('close', () => {
        clearInterval(trickle);
        isClosed = true;
      });
    },
    SHORT_MS,
  );
  await t.rejects(agent.send(REQUEST), { message: 'The agent did not answer in time.' });
  await until('its connection is closed', () => isClosed);
});

t.test('JSON that does not come to its end is given up, and so is what is too long', async t => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  for (const provoke of [
    () => mock.timers.tick(10_000),
    (answer: PassThrough) => answer.write(Buffer.alloc(MIB + 1)),
  ]) {
    const answer = new PassThrough();
    answer.write('[');
    const read = agentJson(Object.assign(answer, { statusCode: 200, headers: {} }));
    read.catch(() => undefined);
    provoke(answer);
    await t.rejects(read, { code: 'agent_failed' });
    t.ok(answer.destroyed);
  }
});
