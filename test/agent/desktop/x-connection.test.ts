import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { answers } from '../../../src/agent/desktop/x-connection.js';

// Paths of sockets are short.
const folder = mkdtempSync(join(tmpdir(), 'berth-x-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));

t.test('an X server is up when it accepts a connection, not when it only listens', async t => {
  const replies = [0, 0, 1];
  const server = createServer(connection => {
    connection.on('error', () => undefined);
    connection.once('data', () => connection.write(Buffer.from([replies.shift() ?? 1])));
  });
  t.teardown(() => server.close());
  const path = join(folder, 'X0');
  await new Promise<void>(resolve => server.listen(path, resolve));
  await answers(path, 5000);
  t.same(replies, []);
});

t.test('one that does not come up is given up on', async t => {
  await t.rejects(answers(join(folder, 'none'), 100), /accepts no connections/);
});
