import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { isReadWithin, markUnread } from '../../../src/agent/console/state-file.js';

const folder = await mkdtemp(join(tmpdir(), 'berth-test-'));
t.teardown(() => rm(folder, { recursive: true }));

t.test('it is seen that an emulator has read a state', async t => {
  const path = join(folder, 'state');
  await writeFile(path, 'state');
  await markUnread(path);
  t.equal(await isReadWithin(path, 50), false, 'not yet');
  const read = isReadWithin(path, 20_000);
  // As the system does when the file is read, but on file systems that are mounted without it.
  await utimes(path, new Date(), new Date());
  t.equal(await read, true);
});
