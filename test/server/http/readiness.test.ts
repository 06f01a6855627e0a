import t from 'tap';
import { EngineError } from '../../../src/server/engines/engine.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { until } from '../../fixtures/until.js';

t.test('readiness says which part fails, not why, and checks each part once a second', async t => {
  const { url, engine, log } = await serveInProcess(t, { BERTH_LOG_LEVEL: 'info' });
  let pings = 0;
  let fails = true;
  let answer = () => {};
  const asked = new Promise<void>(resolve => (answer = resolve));
  engine.ping = async () => {
    pings++;
    await asked;
    if (fails) throw new EngineError('unavailable', 'The container engine cannot be reached (10.0.0.7:2375).');
  };
  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, body: (await response.json()) as object };
  };
  const all = Promise.all(Array.from({ length: 30 }, ready));
  await until('it is asked', () => pings > 0);
  const begun = performance.now();
  answer();
  for (const { status, body } of await all) {
    t.equal(status, 503);
    t.same(body, {
      code: 'not_ready',
      message: 'The service is not ready; try again later.',
      details: [{ path: '/engine/NA', message: 'does not work' }],
    });
  }
  t.ok(pings <= 1 + (performance.now() - begun) / 1000, `${pings} for all of them`);
  t.match(log(), '10.0.0.7:2375', 'the log has why');

  fails = false;
  await until('it is ready again', async () => (await ready()).status === 200);
  t.ok(pings <= 2 + (performance.now() - begun) / 1000, `${pings} in ${performance.now() - begun} ms`);
  t.equal(log().split('10.0.0.7:2375').length - 1, 1, 'once');
  t.match(log(), 'works again');
});

t.test('once an engine has worked, its trouble is told, and viewers are not sent away for it', async t => {
  const { url, engine, api } = await serveInProcess(t);
  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, body: (await response.json()) as { details?: object[] } };
  };
  const metrics = async () => (await api('GET', '/metrics')).text();
  t.same(await ready(), { status: 200, body: { status: 'ready' } });
  t.match(await metrics(), /^berth_part_working\{part="engine\/NA"\} 1$/m);
  engine.ping = () => Promise.reject(new EngineError('unavailable', 'It is away.'));
  await until('its trouble is told', async () => (await ready()).body.details !== undefined);
  t.same(await ready(), {
    status: 200,
    body: { status: 'ready', details: [{ path: '/engine/NA', message: 'does not work' }] },
  });
  t.match(await metrics(), /^berth_part_working\{part="engine\/NA"\} 0$/m);
  t.match(await metrics(), /^berth_part_working\{part="store"\} 1$/m);

  engine.ping = () => new Promise(() => {});
  await until('it hangs', async () => {
    const begun = performance.now();
    t.match(await metrics(), /^berth_part_working/m, 'metrics do not wait for it');
    return performance.now() - begun > 900;
  });
});
