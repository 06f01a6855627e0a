import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { serve } from '../../../src/agent/link/routes.js';
import { ProfileTransfer } from '../../../src/agent/profile/transfer.js';
import { until } from '../../fixtures/until.js';

const log = { warn() {} } as unknown as Parameters<typeof serve>[3];

/** Serves the profile of a program that ends when it is told how. */
async function programThatEnds(t: Test) {
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const transfer = new ProfileTransfer();
  transfer.launched({
    content: { folder: t.testdir({ saved: 'game' }), keeps: () => true },
    finish: () => new Promise((resolve, reject) => ends.push({ resolve, reject })),
  });
  const server = createServer((request, response) => void serve(transfer.routes, request, response, log)).listen(
    0,
    '127.0.0.1',
  );
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { ends, server, get: () => fetch(`http://127.0.0.1:${port}/profile`, { headers: { connection: 'close' } }) };
}

t.test('a program is ended once, however many ask for its profile', async t => {
  const { ends, server, get } = await programThatEnds(t);
  const first = get();
  const end = await until('the program is told to end', () => ends[0]);
  const second = get();
  await once(server, 'request');
  end.resolve();
  const answers = await Promise.all([first, second]);
  t.same(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const [one, other] = await Promise.all(answers.map(answer => answer.text()));
  t.match(one, /game/);
  t.equal(other, one);
  t.equal((await get()).status, 200, 'later ones have it, too');
  t.equal(ends.length, 1);
});

t.test('one that could not be ended is ended on the next try', async t => {
  const { ends, get } = await programThatEnds(t);
  const failed = get();
  (await until('the program is told to end', () => ends[0])).reject(new Error('it hangs'));
  t.equal((await failed).status, 500);
  const saved = get();
  (await until('it is told again', () => ends[1])).resolve();
  t.equal((await saved).status, 200);
});
