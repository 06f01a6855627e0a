import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { commitsOf, faultsOf } from '../../scripts/lib/commit-subjects.js';

const faults = (subject: string, parents = ['1234567']) => faultsOf({ hash: '89abcde', parents, subject });

t.test('a subject has an area, or several, a capital, at most 72 characters and no period', async t => {
  t.same(faults('agent: Let a killed emulator go on from its last state'), []);
  t.same(faults('sessions, check-games: Format'), []);
  t.same(faults(`n64: ${'A'.repeat(67)}`), []);
  t.match(faults('Let a killed emulator go on'), [/no area/]);
  t.match(faults('Agent: Let a killed emulator go on'), [/no area/]);
  t.match(faults('agent: let a killed emulator go on'), [/capital/]);
  t.match(faults(`n64: ${'A'.repeat(68)}`), [/73 characters/]);
  t.match(faults('agent: Let a killed emulator go on.'), [/period/]);
  t.match(faults(`${'a'.repeat(80)}.`), [/no area/, /81 characters/, /period/]);
});

t.test('the first commit has no parent, and merges are refused', async t => {
  t.same(faults('all: Begin', ['']), []);
  t.match(faults("Merge branch 'main'", ['1234567', '89abcde']), [/merge/]);
});

t.test('without a history there is nothing to check', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'berth-commits-'));
  t.teardown(() => rm(folder, { recursive: true }));
  t.equal(await commitsOf(folder), null);
});
