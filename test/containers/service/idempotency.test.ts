// tags: containers
/** Kills the service, as a process of its own; no container is started. */
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { forkService } from '../../fixtures/services/forked-service.js';

t.test('a service that was killed still knows the keys of starts', async t => {
  const apiKey = randomBytes(24).toString('base64url');
  const service = await forkService(t, { BERTH_API_KEYS: apiKey });
  const start = async () => {
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'order-17' };
    const answer = await fetch(`${service.url}/v0/vm`, { method: 'POST', headers });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  const first = await start();
  t.match(first, { status: 201, body: { session_id: String } });
  await service.restart();
  t.same(await start(), first);
});
