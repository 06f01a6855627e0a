import { readFile, writeFile } from 'node:fs/promises';
import t from 'tap';
import { exitedNormally, forgetExit } from '../../../src/agent/browser/launch/preferences.js';

t.test('how Chromium has ended is read, and forgotten, and nothing else is', async t => {
  const path = `${t.testdir()}/Preferences`;
  for (const [ending, isNormal] of [
    ['Normal', true],
    ['Crashed', false],
  ] as const) {
    await writeFile(path, JSON.stringify({ a: 1, profile: { exit_type: ending, name: 'ü' } }));
    t.equal(exitedNormally(path), isNormal);
    forgetExit(path);
    t.same(JSON.parse(await readFile(path, 'utf8')), { a: 1, profile: { name: 'ü' } });
    t.equal(exitedNormally(path), false);
  }
});

t.test('preferences that tell nothing stay as they are', async t => {
  const path = `${t.testdir()}/Preferences`;
  forgetExit(path);
  t.equal(exitedNormally(path), false);
  for (const text of ['', '{', 'null', '5', '[]', '{"profile": null}', '{"profile": 5}', '{"profile": {"a": 1}}']) {
    await writeFile(path, text);
    forgetExit(path);
    t.equal(exitedNormally(path), false, text);
    t.equal(await readFile(path, 'utf8'), text);
  }
});
