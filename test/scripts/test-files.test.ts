import t from 'tap';
import { durationText, SLOW_FILES } from '../../scripts/lib/durations.js';
import { matches, phases } from '../../scripts/lib/test-files.js';

t.test('each test file is in one phase, by what it needs', async t => {
  const all = await phases();
  t.same(
    all.map(({ name }) => name),
    ['unit', 'fuzz and load', 'containers', 'browser', 'waiting', 'kubernetes', 'measuring'],
  );
  t.ok(all.every(({ whole }) => whole));
  const files = all.flatMap(phase => phase.files);
  t.equal(new Set(files).size, files.length);
  const phaseOf = (file: string) => all.find(phase => phase.files.includes(file));
  t.match(phaseOf('test/scripts/test-files.test.ts'), { name: 'unit', containers: false });
  t.match(phaseOf('test/fuzz/http.test.ts'), { name: 'fuzz and load', containers: false });
  t.match(phaseOf('test/containers/package.test.ts'), { name: 'containers', containers: true });
  t.match(phaseOf('test/containers/display/video.test.ts'), { name: 'measuring', jobs: 1, alone: true });
  t.match(phaseOf('test/containers/service/outage.test.ts'), { name: 'waiting', alone: true });
  t.match(phaseOf('test/browser/draw.test.ts'), { name: 'browser', containers: true, cluster: undefined });
  t.match(phaseOf('test/browser/sound.test.ts'), { name: 'measuring', alone: true });
  t.match(phaseOf('test/kubernetes/sessions.test.ts'), { name: 'kubernetes', containers: true, cluster: true });
});

t.test('patterns are path prefixes or globs, and several select what any of them matches', async t => {
  t.ok(matches('test/web/pads.test.ts', 'test/web'));
  t.ok(matches('test/web/pads.test.ts', './test/web/pads.test.ts'));
  t.ok(matches('test/web/pads.test.ts', 'test/**/pads*'));
  t.notOk(matches('test/web/pads.test.ts', 'web'));
  const some = await phases(['test/scripts/test-files', 'test/fuzz/*']);
  t.match(some, [
    { name: 'unit', files: ['test/scripts/test-files.test.ts'], whole: false },
    { name: 'fuzz and load', files: ['test/fuzz/viewer-messages.test.ts', 'test/fuzz/http.test.ts'], whole: false },
  ]);
  t.equal(some.length, 2);
});

t.test('a pattern that matches no file is refused', async t => {
  await t.rejects(phases(['test/web', 'test/wbe']), /no test file begins with or matches test\/wbe$/);
});

t.test('of files that run beside each other the longest begin first', async t => {
  const load = await phases(['test/load']);
  t.same(
    load.flatMap(({ files }) => files),
    ['test/load/viewers.test.ts', 'test/load/unread.test.ts', 'test/load/profile.test.ts'],
  );
  const files = (await phases()).flatMap(phase => phase.files);
  t.same(
    Object.keys(SLOW_FILES).filter(file => !files.includes(file)),
    [],
    'all that are known to be slow exist',
  );
});

t.test('durations are readable', async t => {
  t.same([7.4, 59.6, 60, 200, 1500].map(durationText), ['7 s', '1 min', '1 min', '3 min 20 s', '25 min']);
});
