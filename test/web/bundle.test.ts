import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { buildWeb } from '../../scripts/lib/web.js';

/** What the SDK may take to load, in bytes of gzip. */
const SDK_MAX_BYTES = 60_000;

t.test('the SDK starts from one small file', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-web-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await buildWeb(folder);
  const sdk = await readFile(join(folder, 'sdk.js'), 'utf8');
  const size = gzipSync(sdk).length;
  t.ok(size < SDK_MAX_BYTES, `${size} bytes`);
  t.notMatch(sdk, /\bimport\s*["'{*\w]|\bfrom\s*["']\.|\bimport\(["']/, 'no import by name');
});
