// tags: long
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import t from 'tap';
import { FolderStorage } from '../../src/server/profiles/storage.js';
import { EncryptedStore } from '../../src/server/profiles/encrypted-store.js';
import { Keyring } from '../../src/server/secrets/keyring.js';
import { newSessionId } from '../../src/server/model/ids.js';
import { collect } from '../fixtures/collect.js';
import { SECRET } from '../fixtures/services/keyring.js';

const MB = 1 << 20;

t.test('saving a profile takes a fraction of its size in memory', async t => {
  // What takes time is to compress what cannot be compressed, and what could be would be small once it is kept.
  const size = 96 * MB;
  const vault = new EncryptedStore(new FolderStorage(t.testdir({})), new Keyring(SECRET), size);
  const id = newSessionId();
  const piece = randomBytes(MB);
  let before = 0;
  let most = 0;
  let passed = 0;
  // Without a collection the figure is that of garbage which nothing has asked the collector to take away.
  const watch = (length: number) => {
    if ((passed % (8 * MB)) + length >= 8 * MB) collect();
    passed += length;
    most = Math.max(most, process.memoryUsage.rss() - before);
  };
  const pass = async (bytes: number) => {
    const content = Readable.from(
      (async function* () {
        for (let sent = 0; sent < bytes; sent += MB) {
          watch(MB);
          yield piece;
        }
      })(),
    );
    const kept = await vault.write(id, content, { signal: new AbortController().signal });
    t.ok(kept >= bytes, 'it is as large once it is kept');
    let read = 0;
    for await (const chunk of await vault.read(id)) {
      read += (chunk as Buffer).length;
      watch((chunk as Buffer).length);
    }
    t.equal(read, bytes);
  };
  // What code, buffers and collector need for any profile.
  await pass(8 * MB);
  collect();
  before = process.memoryUsage.rss();
  most = 0;
  await pass(size);
  t.ok(most < size / 2, `${Math.round(most / MB)} MB`);
});
