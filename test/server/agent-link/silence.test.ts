import { PassThrough, Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { AgentHttp, SILENCE_MS } from '../../../src/server/agent-link/agent-http.js';
import { RECEIVE_LIMITS } from '../../../src/server/http/slow-bodies.js';
import { FakeAgent } from '../../fixtures/agents/fake-agent.js';
import { targetOf } from '../../fixtures/services/session-host.js';

const SHORT_MS = 200;
const SILENT = { message: 'The agent did not answer in time.' };

/** Requests to an agent that answers once it has read the body, or never if it does not read. */
async function agentOf(t: Test, { reads }: { reads: boolean }) {
  const agent = await new FakeAgent().start();
  t.teardown(() => agent.stop());
  agent.onRequest = (request, response) => {
    if (reads) request.resume().on('end', () => response.end('ok'));
  };
  return new AgentHttp(targetOf(agent), SHORT_MS);
}

const upload = (body: Readable) => ({ method: 'POST', path: '/uploads/x', body }) as const;

t.test('a body may pause for longer than the agent may be silent', async t => {
  const http = await agentOf(t, { reads: true });
  const body = new PassThrough();
  body.write('some');
  const answer = http.send(upload(body));
  setTimeout(() => body.end('more'), 1.5 * SHORT_MS);
  t.equal((await answer).statusCode, 200);
});

t.test('a body that never goes on is given up after twice that', async t => {
  const http = await agentOf(t, { reads: true });
  const body = new PassThrough();
  body.write('some');
  const begun = performance.now();
  await t.rejects(http.send(upload(body)), SILENT);
  t.ok(performance.now() - begun >= 2 * SHORT_MS);
  t.ok(body.destroyed);
});

t.test('callers whose body stalls are told so before the agent counts as lost', async t => {
  t.ok(2 * SILENCE_MS > RECEIVE_LIMITS.stallMs + 10 * RECEIVE_LIMITS.checkMs);
});

t.test('an agent that does not read a body, or does not answer, is silent', async t => {
  const http = await agentOf(t, { reads: false });
  await t.rejects(http.send(upload(Readable.from([Buffer.alloc(64 << 20)]))), SILENT);
  await t.rejects(http.send(upload(Readable.from(['all of it']))), SILENT);
  await t.rejects(http.send({ method: 'GET', path: '/screenshot' }), SILENT);
});
