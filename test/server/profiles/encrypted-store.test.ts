import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { SEGMENT_BYTES } from '../../../src/server/profiles/cipher.js';
import { FolderStorage, type Storage } from '../../../src/server/profiles/storage.js';
import { EncryptedStore } from '../../../src/server/profiles/encrypted-store.js';
import { Keyring } from '../../../src/server/secrets/keyring.js';
import { newSessionId } from '../../../src/server/model/ids.js';
import { SECRET } from '../../fixtures/services/keyring.js';

const MB = 1 << 20;
const signal = new AbortController().signal;

function open(
  t: Test,
  { secrets = [SECRET] as [string, ...string[]], maxBytes = 8 * MB, folder = t.testdir({}) } = {},
) {
  const encrypted = new EncryptedStore(new FolderStorage(folder), new Keyring(...secrets), maxBytes);
  return {
    folder,
    encrypted,
    write: (id: string, bytes: Buffer) => encrypted.write(id, Readable.from([bytes]), { signal }),
    read: async (id: string) => buffer(await encrypted.read(id)),
    path: (id: string) => join(folder, `${id}.profile`),
  };
}

t.test('a profile is read back as it was written, whatever its size', async t => {
  const { write, read, folder } = open(t);
  const id = newSessionId();
  for (const bytes of [0, 1, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 3 * SEGMENT_BYTES, 2 * MB + 7]) {
    const content = randomBytes(bytes);
    t.ok((await write(id, content)) > 0);
    t.ok((await read(id)).equals(content), `${bytes} bytes`);
  }
  t.same(await readdir(folder), [`${id}.profile`], 'nothing else is left');
});

t.test('what is stored reveals nothing about its content', async t => {
  const { write, path } = open(t);
  const id = newSessionId();
  const words = 'a cookie that nobody may read '.repeat(1000);
  await write(id, Buffer.from(words));
  const first = await readFile(path(id));
  t.notOk(first.includes('cookie'));
  await write(id, Buffer.from(words));
  const second = await readFile(path(id));
  t.notOk(second.subarray(8).includes(first.subarray(8, 72)), 'the same content is another text each time');
  t.ok(first.length < words.length / 4, 'it is compressed');
});

t.test('any damage is detected, and nothing from the damage on is returned', async t => {
  const { write, read, path, encrypted } = open(t);
  const id = newSessionId();
  const content = randomBytes(5 * SEGMENT_BYTES);
  await write(id, content);
  const whole = await readFile(path(id));
  const step = SEGMENT_BYTES + 16;
  const header = 40;
  const swapped = Buffer.concat([
    whole.subarray(0, header),
    whole.subarray(header + step, header + 2 * step),
    whole.subarray(header, header + step),
    whole.subarray(header + 2 * step),
  ]);
  const flipped = (at: number) => {
    const copy = Buffer.from(whole);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const broken: Record<string, Buffer> = {
    'a byte of the header': flipped(20),
    'the magic number': flipped(0),
    'the version': flipped(6),
    'a byte of the first segment': flipped(header + 5),
    'the last byte': flipped(whole.length - 1),
    'cut off within a segment': whole.subarray(0, whole.length - 100),
    'cut off between segments': whole.subarray(0, header + 2 * step),
    'cut off after the header': whole.subarray(0, header),
    'cut off within the header': whole.subarray(0, 10),
    'nothing at all': Buffer.alloc(0),
    'two segments changed places': swapped,
    'something after its end': Buffer.concat([whole, Buffer.alloc(1)]),
  };
  for (const [what, bytes] of Object.entries(broken)) {
    await writeFile(path(id), bytes);
    await t.rejects(read(id), { name: 'ProfileError', failure: 'damaged' }, what);
    t.ok((await readFile(path(id))).equals(bytes), `${what}: the file stays`);
  }
  await writeFile(path(id), flipped(header + 2 * step + 9));
  const seen: Buffer[] = [];
  const stream = await encrypted.read(id);
  await t.rejects(async () => {
    for await (const chunk of stream) seen.push(chunk as Buffer);
  });
  t.ok(content.subarray(0, Buffer.concat(seen).length).equals(Buffer.concat(seen)), 'what was given out is right');
  t.ok(Buffer.concat(seen).length <= 2 * SEGMENT_BYTES);
});

t.test('a profile saved under an older secret can be read, and saving it again uses the newest', async t => {
  const id = newSessionId();
  const content = randomBytes(3 * SEGMENT_BYTES);
  const { folder, write } = open(t);
  await write(id, content);
  const [fresh, between] = [`${SECRET}-new`, `${SECRET}-between`];
  const rotated = open(t, { folder, secrets: [fresh, between, SECRET] });
  t.ok((await rotated.read(id)).equals(content));
  await rotated.write(id, content);
  t.ok((await open(t, { folder, secrets: [fresh] }).read(id)).equals(content));
  await t.rejects(open(t, { folder }).read(id), { name: 'ProfileError', failure: 'damaged' });
});

t.test('a profile can be read with its own ID and secret only', async t => {
  const { write, read, path, folder } = open(t);
  const [id, other] = [newSessionId(), newSessionId()];
  await write(id, Buffer.from('mine'));
  await t.rejects(open(t, { folder, secrets: [`${SECRET}!`] }).read(id), { name: 'ProfileError', failure: 'damaged' });
  await rename(path(id), path(other));
  await t.rejects(read(other), { name: 'ProfileError', failure: 'damaged' });
  await t.rejects(read(id), { name: 'ProfileError', failure: 'not_found' });
});

t.test('a profile that cannot be opened or read is unavailable, not damaged', async t => {
  const { read, path, folder } = open(t);
  const id = newSessionId();
  await mkdir(path(id));
  await t.rejects(read(id), { name: 'ProfileError', failure: 'unavailable' }, 'a folder where the file should be');
  await writeFile(join(folder, 'file'), '');
  await t.rejects(
    open(t, { folder: join(folder, 'file') }).read(id),
    { name: 'ProfileError', failure: 'unavailable' },
    'no folder',
  );
});

t.test('a failed write leaves what was stored before, and nothing else', async t => {
  const { encrypted, write, read, folder } = open(t);
  const id = newSessionId();
  await write(id, Buffer.from('before'));
  const broken = Readable.from(
    (async function* () {
      yield randomBytes(MB);
      throw new Error('the container died');
    })(),
  );
  await t.rejects(encrypted.write(id, broken, { signal }), { name: 'ProfileError', failure: 'unavailable' });
  const refused = { signal, confirm: () => Promise.reject(new Error('the session has ended')) };
  await t.rejects(encrypted.write(id, Readable.from([Buffer.from('late')]), refused));
  await t.rejects(write(id, Buffer.alloc(8 * MB + 1)), { name: 'ProfileError', failure: 'too_large' });
  const controller = new AbortController();
  const endless = new Readable({ read: () => setImmediate(() => endless.push(Buffer.alloc(100))) });
  setTimeout(() => controller.abort(), 50);
  await t.rejects(encrypted.write(id, endless, { signal: controller.signal }), { name: 'AbortError' });
  t.equal((await read(id)).toString(), 'before');
  t.same(await readdir(folder), [`${id}.profile`]);
  await encrypted.remove(id);
  await encrypted.remove(id);
  t.same(await readdir(folder), []);
});

t.test('a write that is aborted ends when the storage has cleaned up', async t => {
  const controller = new AbortController();
  let isClean = false;
  const storage: Storage = {
    write: async (_, content) => {
      try {
        for await (const _chunk of content) controller.abort();
        return 0;
      } finally {
        await sleep(50);
        isClean = true;
      }
    },
    read: () => Promise.resolve(null),
    remove: () => Promise.resolve(),
    tidy: () => Promise.resolve(),
  };
  const encrypted = new EncryptedStore(storage, new Keyring(SECRET), MB);
  const endless = new Readable({ read: () => setImmediate(() => endless.push(randomBytes(SEGMENT_BYTES))) });
  const write = encrypted.write(newSessionId(), endless, { signal: controller.signal, maxBytes: Infinity });
  await t.rejects(write, { name: 'AbortError' });
  t.ok(isClean);
});
