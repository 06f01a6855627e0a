import t from 'tap';
import { processorFlag } from '../../scripts/check-android/machine.js';
import { type Check, runChecks, skip } from '../../scripts/lib/checks.js';

/** Runs checks; gives what was printed, and whether none failed. */
async function run(checks: readonly Check<object>[]) {
  const lines: string[] = [];
  const passed = await runChecks(checks, {}, line => lines.push(line));
  return { passed, lines };
}

const fails = () => Promise.reject(new Error('It is broken.'));

t.test('what needs a check that failed is not tried, and says which one', async t => {
  const { passed, lines } = await run([
    { name: 'ground', run: fails },
    { name: 'wall', needs: ['ground'], run: () => Promise.reject(new Error('tried')) },
    { name: 'roof', needs: ['wall'], run: () => Promise.reject(new Error('tried')) },
    { name: 'garden', run: () => 'Green.' },
  ]);
  t.notOk(passed);
  t.same(lines, [
    'FAIL  ground  It is broken.',
    'SKIP  wall    Not tried, since "ground" failed.',
    'SKIP  roof    Not tried, since "ground" failed.',
    'PASS  garden  Green.',
  ]);
});

t.test('what is left out holds nothing up, and is no failure', async t => {
  const { passed, lines } = await run([
    { name: 'a', run: () => skip('Not here.') },
    { name: 'b', needs: ['a'], run: () => 'Well.' },
  ]);
  t.ok(passed);
  t.same(lines, ['SKIP  a  Not here.', 'PASS  b  Well.']);
});

t.test('processors that run virtual machines are told by their flags', async t => {
  const info = (flags: string) => `processor\t: 0\nflags\t\t: fpu ${flags} sse\nvmx flags\t: vnmi\nbugs\t\t:\n`;
  t.equal(processorFlag(info('vmx')), 'The processors have vmx.');
  t.equal(processorFlag(info('svm')), 'The processors have svm.');
  t.throws(() => processorFlag(info('svm_lock')), { message: /none of the flags vmx and svm/ });
  t.throws(() => processorFlag('Features\t: fp asimd\n'), { message: /none of the flags/ });
});
