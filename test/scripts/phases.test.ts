/** Which test files run under which conditions. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { durationText } from '../../scripts/lib/durations.js';
import { matches, phases } from '../../scripts/lib/phases.js';
import { tagsIn, tagsOf } from '../../scripts/lib/test-tags.js';

t.test('each test file is in one phase, by its tags', async t => {
  const all = await phases();
  t.same(
    all.map(({ name }) => name),
    ['unit', 'long', 'containers', 'waiting', 'cluster', 'alone'],
  );
  t.ok(all.every(({ whole }) => whole));
  const files = all.flatMap(phase => phase.files);
  t.equal(new Set(files).size, files.length);
  const phaseOf = (file: string) => all.find(phase => phase.files.includes(file));
  t.match(phaseOf('test/scripts/phases.test.ts'), { name: 'unit', containers: false });
  t.match(phaseOf('test/fuzz/http.test.ts'), { name: 'long', containers: false });
  t.match(phaseOf('test/containers/package.test.ts'), { name: 'containers', containers: true });
  t.match(phaseOf('test/containers/display/video.test.ts'), { name: 'alone', jobs: 1 });
  t.match(phaseOf('test/containers/service/outage.test.ts'), { name: 'waiting' });
  t.match(phaseOf('test/browser/draw.test.ts'), { name: 'containers' });
  t.match(phaseOf('test/kubernetes/sessions.test.ts'), { name: 'cluster', jobs: 1, containers: true });
});

t.test('files say what they need: containers, a cluster, and whether they draw at random', async t => {
  for (const file of (await phases()).flatMap(phase => phase.files)) {
    const [source, tags] = [await readFile(file, 'utf8'), await tagsOf(file)];
    t.equal(tags.has('containers'), /^test\/(containers|browser|kubernetes)\//.test(file), file);
    t.equal(tags.has('cluster'), file.startsWith('test/kubernetes/'), file);
    t.equal(tags.has('random'), /^import .*\bseedOf\b/m.test(source), file);
  }
});

t.test('a tag that does not exist is refused', async t => {
  t.same([...tagsIn(`// tags: containers, alone\nimport t from 'tap';\n`, 'a.test.ts')], ['containers', 'alone']);
  t.same([...tagsIn(`import t from 'tap';\n// tags: alone\n`, 'a.test.ts')], [], 'tags are in the first line');
  t.throws(() => tagsIn('// tags: lonely\n', 'a.test.ts'), /^a\.test\.ts: there is no tag "lonely"; use long, /);
});

t.test('patterns are path prefixes or globs, and several select what any of them matches', async t => {
  t.ok(matches('test/web/sdk/pads.test.ts', 'test/web'));
  t.ok(matches('test/web/sdk/pads.test.ts', './test/web/sdk/pads.test.ts'));
  t.ok(matches('test/web/sdk/pads.test.ts', 'test/**/pads*'));
  t.notOk(matches('test/web/sdk/pads.test.ts', 'web'));
  const some = await phases(['test/scripts/phases', 'test/fuzz/*']);
  t.match(some, [
    { name: 'unit', files: ['test/scripts/phases.test.ts'], whole: false },
    { name: 'long', files: ['test/fuzz/http.test.ts', 'test/fuzz/viewer-messages.test.ts'], whole: false },
  ]);
  t.equal(some.length, 2);
  t.same([...(some[1]?.random ?? [])], some[1]?.files);
});

t.test('a pattern that matches no file is refused', async t => {
  await t.rejects(phases(['test/web', 'test/wbe']), /no test file begins with or matches test\/wbe$/);
});

t.test('of files that run beside each other the slow ones begin first', async t => {
  const load = (await phases(['test/load'])).find(({ name }) => name === 'long');
  t.same(load?.files.slice(-1), ['test/load/profile.test.ts']);
});

t.test('durations are readable', async t => {
  t.same([7.4, 59.6, 60, 200, 1500].map(durationText), ['7 s', '1 min', '1 min', '3 min 20 s', '25 min']);
});
