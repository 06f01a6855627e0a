import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { FolderStorage } from '../../../src/server/profiles/storage.js';
import { Profiles } from '../../../src/server/profiles/profiles.js';
import { EncryptedStore } from '../../../src/server/profiles/encrypted-store.js';
import { Store } from '../../../src/server/store/store.js';
import { keyring } from '../../fixtures/services/keyring.js';
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

/** A profile last used at 1000, and what deletes it. */
async function unused(t: Test, storage: (folder: string) => FolderStorage) {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, keyring);
  t.teardown(() => store.close());
  const folder = t.testdir({});
  const encrypted = new EncryptedStore(storage(folder), keyring, 1000);
  const profiles = new Profiles(encrypted, store.profiles, { saved: () => {}, failed: () => {} });
  const id = newSessionId();
  const { signal } = new AbortController();
  const bytes = await encrypted.write(id, Readable.from([Buffer.from('x')]), { signal });
  await store.profiles.saved({ id, kind: 'chromium' }, bytes, 1000);
  return { store, folder, profiles, id };
}

t.test('a profile that a start has claimed meanwhile is kept', async t => {
  const { store, folder, profiles, id } = await unused(t, each => new FolderStorage(each));
  const { expired } = store.profiles;
  store.profiles.expired = async time => {
    const ids = await expired.call(store.profiles, time);
    t.ok(await profiles.use(id));
    return ids;
  };
  t.equal(await profiles.expire(5000), 0);
  t.same(await readdir(folder), [`${id}.profile`]);
  t.equal(await profiles.kindOf(id), 'chromium');
});

t.test('a profile whose deletion was interrupted cannot be used, and is deleted the next time', async t => {
  class Failing extends FolderStorage {
    isBroken = true;
    override async remove(id: string): Promise<void> {
      if (this.isBroken) throw new Error('the storage is away');
      await super.remove(id);
    }
  }
  let storage: Failing | undefined;
  const { folder, profiles, id } = await unused(t, each => (storage = new Failing(each)));
  await t.rejects(profiles.expire(5000), { message: 'the storage is away' });
  t.same([await profiles.use(id), await profiles.kindOf(id)], [false, null]);
  if (storage !== undefined) storage.isBroken = false;
  t.equal(await profiles.expire(5000), 1);
  t.same(await readdir(folder), []);
});
