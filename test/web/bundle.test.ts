import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { buildWeb } from '../../scripts/lib/web.js';

/** What the SDK, and the module for the hosted service's client, may take to load, in bytes of gzip. */
const MAX_BYTES = 60_000;

t.test('the SDK and the module for hosted clients are one small file each', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-web-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await buildWeb(folder);
  for (const name of ['sdk.js', 'hosted.js']) {
    const source = await readFile(join(folder, name), 'utf8');
    const size = gzipSync(source).length;
    t.ok(size < MAX_BYTES, `${name}: ${size} bytes`);
    t.notMatch(source, /\bimport\s*["'{*\w]|\bfrom\s*["']\.|\bimport\(["']/, 'no import by name');
  }
  const hosted = await readFile(join(folder, 'hosted.js'), 'utf8');
  t.match(hosted, 'berth-audio', 'what plays sound is in it');
  t.notMatch(hosted, 'sourceMappingURL', 'it is run from memory, where no map is beside it');
});
