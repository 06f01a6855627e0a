import { access, writeFile } from 'node:fs/promises';
import t from 'tap';
import { RomCache } from '../../../src/server/games/cache.js';

const FILE = {
  name: 'game.nes',
  bytes: 100,
  sha256: 'a'.repeat(64),
  etag: null,
  modified: null,
  freshUntil: null,
  mayBeStale: true,
};

t.test('games that are finished at the same time are all kept where there is room for them', async t => {
  const cache = new RomCache(t.testdir(), { maxBytes: 1000, fileBytes: 500, writers: 10 });
  await cache.open();
  const { signal } = new AbortController();
  for (let round = 0; round < 30; round++) {
    const kept = await Promise.all(
      Array.from({ length: 10 }, async (_, name) => {
        const release = await cache.reserve(FILE.bytes, signal);
        const file = cache.newFile();
        await writeFile(file, Buffer.alloc(FILE.bytes));
        return cache.add(`https://games.example/${round}/${name}`, file, FILE, release);
      }),
    );
    for (const { path } of kept) await t.resolves(access(path), `round ${round}`);
  }
});
