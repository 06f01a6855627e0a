import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import t, { type Test } from 'tap';
import { PackageError, packageFiles } from '../../scripts/lib/npm-package.js';

const NAME = '@berth-test/lists';
const VERSION = '1.2.3';
const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

async function archiveOf(files: Record<string, string>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name: `package/${name}` }, content);
  archive.finalize();
  return gzipSync(await buffer(archive));
}

/** An npm registry with one package, and the environment and the folder of a build that asks it. */
async function registry(t: Test, archive: Buffer) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(decodeURIComponent(request.url ?? ''));
    if (request.url?.endsWith('.tgz')) {
      response.end(archive);
      return;
    }
    const dist = { tarball: `${address}/lists.tgz`, integrity: integrityOf(archive) };
    // What it depends on is nowhere: whoever installed it would fail.
    const version = { name: NAME, version: VERSION, dist, dependencies: { '@berth-test/gone': '1.0.0' } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: NAME, 'dist-tags': { latest: VERSION }, versions: { [VERSION]: version } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  t.teardown(close);
  const folder = t.testdir({ kept: {}, npm: {} });
  const env = {
    ...process.env,
    NO_PROXY: '127.0.0.1',
    npm_config_registry: address,
    npm_config_cache: `${folder}/npm`,
    npm_config_fetch_retries: '0',
  };
  return { asked, close, cache: `${folder}/kept`, env };
}

const ARCHIVE = await archiveOf({
  'package.json': '{}',
  'lists/a.json': '[1]',
  'lists/b.json': '[2]',
  'index.js': 'boom()',
});
const PINNED = { name: NAME, version: VERSION, integrity: integrityOf(ARCHIVE) };
const isList = (path: string) => path.startsWith('lists/');

t.test('files of a package are downloaded once, then cached', async t => {
  const { asked, close, cache, env } = await registry(t, ARCHIVE);
  const files = await packageFiles(PINNED, isList, { cache, env });
  t.same(
    [...files].map(([path, content]) => [path, content.toString()]),
    [
      ['lists/a.json', '[1]'],
      ['lists/b.json', '[2]'],
    ],
  );
  t.notMatch(asked.join(), 'gone', 'dependencies are left alone');
  t.same(await readdir(cache), ['@berth-test-lists-1.2.3.tgz']);

  await close();
  t.same((await packageFiles(PINNED, isList, { cache, env })).size, 2);
});

t.test('an archive with another checksum is refused, whatever the registry says', async t => {
  const { cache, env } = await registry(t, await archiveOf({ 'lists/a.json': '[3]' }));
  await t.rejects(packageFiles(PINNED, isList, { cache, env }), {
    message: /@berth-test\/lists@1\.2\.3 is another one: its checksum is sha512-.+, not sha512-/,
  });
  t.same(await readdir(cache), [], 'nothing is kept of it');
});

t.test('a damaged archive in the cache is downloaded again', async t => {
  const { cache, env } = await registry(t, ARCHIVE);
  await mkdir(cache, { recursive: true });
  await writeFile(`${cache}/@berth-test-lists-1.2.3.tgz`, ARCHIVE.subarray(0, 100));
  t.same((await packageFiles(PINNED, isList, { cache, env })).size, 2);
});

t.test('without a registry the error is a sentence', async t => {
  const { close, cache, env } = await registry(t, ARCHIVE);
  await close();
  const error: unknown = await packageFiles(PINNED, isList, { cache, env }).catch((error: unknown) => error);
  t.ok(error instanceof PackageError);
  t.match(error, {
    message: '@berth-test/lists@1.2.3 could not be fetched, see above; check the network and the npm registry setting.',
  });
  t.same(await readdir(cache), []);
});
