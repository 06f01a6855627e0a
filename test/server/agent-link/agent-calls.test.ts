import { mock } from 'node:test';
import t from 'tap';
import type { Call } from '../../../src/protocol/generated/schemas.js';
import { AgentCalls } from '../../../src/server/agent-link/agent-calls.js';

t.test('an agent that is silent for 25 s is an error, and its late answer is ignored', async t => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const asked: Call[] = [];
  const calls = new AgentCalls(call => void asked.push(call));
  const settled: string[] = [];
  const answers = ['first', 'second'].map(name =>
    calls
      .call('tabs.query', [])
      .finally(() => settled.push(name))
      .catch((error: { code?: string }) => error.code),
  );
  mock.timers.tick(24_999);
  calls.answered({ type: 'result', id: asked[1]?.id ?? 0, value: 7 });
  t.equal(await answers[1], 7);
  t.same(settled, ['second'], 'not before');
  mock.timers.tick(1);
  t.equal(await answers[0], 'agent_silent');
  calls.answered({ type: 'result', id: asked[0]?.id ?? 0, value: 8 });
  t.same(settled, ['second', 'first']);
});
