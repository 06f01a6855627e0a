import t from 'tap';
import type { AgentState } from '../../../../src/protocol/generated/schemas.js';
import { startFakedSession } from '../../../fixtures/services/faked-session.js';
import { until } from '../../../fixtures/until.js';

t.test('the status is the state that viewers are told, whatever its agent calls it', async t => {
  const { id, service, embedToken, join } = await startFakedSession(t);
  const status = async () => {
    const answer = await fetch(`${service.url}/s/${id}/status?token=${embedToken}`);
    return ((await answer.json()) as { state: string }).state;
  };
  const viewer = await join();
  const states: [AgentState['state'], string][] = [
    ['running', 'running'],
    // As the agent of a session that was just started says, until it has taken the launch.
    ['idle', 'starting'],
    ['restarting', 'restarting'],
    ['starting', 'starting'],
  ];
  for (const [agent, state] of states) {
    const told = viewer.all('session').length;
    service.agent.tell({ type: 'state', state: agent });
    await until('viewers are told', () => viewer.all('session').length > told);
    t.equal((viewer.all('session').at(-1) as { state: string }).state, state, agent);
    t.equal(await status(), state, agent);
  }
});
