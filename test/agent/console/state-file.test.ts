import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { isReadWithin, markUnread, fileVersion, isWrittenWithin } from '../../../src/agent/console/state-file.js';

const folder = await mkdtemp(join(tmpdir(), 'berth-test-'));
t.teardown(() => rm(folder, { recursive: true }));

const goesOn = new AbortController().signal;

t.test('reading of a state by an emulator is detected', async t => {
  const path = join(folder, 'state');
  await writeFile(path, 'state');
  await markUnread(path);
  t.equal(await isReadWithin(path, 50, goesOn), false, 'not yet');
  const read = isReadWithin(path, 20_000, goesOn);
  // As the system does when the file is read, but on file systems that are mounted without it.
  await utimes(path, new Date(), new Date());
  t.equal(await read, true);
});

t.test('nothing is awaited from an emulator that has ended', async t => {
  const path = join(folder, 'other');
  await writeFile(path, 'state');
  await markUnread(path);
  const end = new AbortController();
  const read = isReadWithin(path, 60_000, end.signal);
  const write = isWrittenWithin(path, await fileVersion(path), async () => true, 60_000, end.signal);
  const since = performance.now();
  end.abort();
  t.same(await Promise.all([read, write]), [false, false]);
  t.ok(performance.now() - since < 30_000);
});
