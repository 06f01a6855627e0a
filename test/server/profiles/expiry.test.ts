import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import t from 'tap';
import { FolderStorage } from '../../../src/server/profiles/storage.js';
import { Profiles } from '../../../src/server/profiles/profiles.js';
import { EncryptedStore } from '../../../src/server/profiles/encrypted-store.js';
import { Store } from '../../../src/server/store/store.js';
import { keyring } from '../../fixtures/keyring.js';
import { newSessionId } from '../../../src/server/model/ids.js';

t.test('a profile that nobody uses any more is deleted, row and file', async t => {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, keyring);
  t.teardown(() => store.close());
  const folder = t.testdir({});
  const encrypted = new EncryptedStore(new FolderStorage(folder), keyring, 1000);
  const profiles = new Profiles(encrypted, store.profiles, { saved: () => {}, failed: () => {} });
  const [old, fresh] = [newSessionId(), newSessionId()];
  for (const [id, usedAt] of [
    [old, 1000],
    [fresh, 9000],
  ] as const) {
    const bytes = await encrypted.write(id, Readable.from([Buffer.from('x')]), {
      signal: new AbortController().signal,
    });
    await store.profiles.saved({ id, kind: 'chromium' }, bytes, usedAt);
  }
  t.equal(await profiles.expire(5000), 1);
  t.same(await readdir(folder), [`${fresh}.profile`]);
  t.same([await profiles.kindOf(old), await profiles.kindOf(fresh)], [null, 'chromium']);
  t.equal(await profiles.expire(5000), 0);
});
