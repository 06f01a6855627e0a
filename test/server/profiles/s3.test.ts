import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { keyring } from '../../fixtures/services/keyring.js';
import t, { type Test } from 'tap';
import { S3Storage } from '../../../src/server/profiles/s3.js';
import { EncryptedStore } from '../../../src/server/profiles/encrypted-store.js';
import { newSessionId } from '../../../src/server/model/ids.js';

const MB = 1 << 20;
const signal = new AbortController().signal;
const BUCKET = 'profiles';

const storageAt = (port: number) =>
  new S3Storage({
    type: 's3',
    bucket: BUCKET,
    prefix: 'berth/',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  });

/** A vault on an S3 server of its own. */
async function open(t: Test): Promise<EncryptedStore> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: t.testdir({}),
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  t.teardown(() => server.close());
  return new EncryptedStore(storageAt(port), keyring, 64 * MB);
}

t.test('profiles are stored in a bucket, large ones in parts', async t => {
  const encrypted = await open(t);
  for (const bytes of [10, 6 * MB, 23 * MB]) {
    const id = newSessionId();
    const content = randomBytes(bytes);
    t.ok((await encrypted.write(id, Readable.from([content]), { signal })) >= bytes);
    t.ok((await buffer(await encrypted.read(id))).equals(content), `${bytes} bytes`);
  }
});

t.test('a failed write leaves what was stored before', async t => {
  const encrypted = await open(t);
  const id = newSessionId();
  await encrypted.write(id, Readable.from([Buffer.from('before')]), { signal });
  for (const bytes of [1000, 12 * MB]) {
    const broken = Readable.from(
      (async function* () {
        yield randomBytes(bytes);
        throw new Error('the container died');
      })(),
    );
    await t.rejects(encrypted.write(id, broken, { signal }), { name: 'ProfileError', failure: 'unavailable' });
    t.equal((await buffer(await encrypted.read(id))).toString(), 'before', `${bytes} bytes`);
  }
  await encrypted.remove(id);
  await encrypted.remove(id);
  await t.rejects(encrypted.read(id), { name: 'ProfileError', failure: 'not_found' });
});

t.test('a store that is unreachable or refuses causes an error in bounded time', async t => {
  const refusing = createServer((_request, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  t.teardown(() => refusing.close().closeAllConnections());
  const { port } = refusing.address() as AddressInfo;
  for (const at of [port, 1]) {
    const encrypted = new EncryptedStore(storageAt(at), keyring, MB);
    const writing = encrypted.write(newSessionId(), Readable.from([Buffer.from('x')]), { signal });
    await t.rejects(writing, { name: 'ProfileError', failure: 'unavailable' });
    await t.rejects(encrypted.read(newSessionId()), { name: 'ProfileError', failure: 'unavailable' });
  }
});
