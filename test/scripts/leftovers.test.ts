import t from 'tap';
import { chains, marked } from '../../scripts/lib/leftovers.js';
import { namesOf } from '../../src/server/engines/docker/names.js';

t.test('finds what tests made among other things', async t => {
  const names =
    'web nginx Up 2 days\nberth-test-1f-abc berth/chromium Exited (0)\nberth-abc berth/chromium Up 1 hour\n';
  t.same(marked('container', names), ['container berth-test-1f-abc berth/chromium Exited (0)']);
});

t.test('finds the firewall chains of a test’s instance, not those of another', async t => {
  const test = namesOf('berth-test-0a1b2c3d');
  const other = namesOf('berth');
  const rules = [test.forwardChain, test.inputChain, other.forwardChain, 'DOCKER-USER'].map(name => `:${name} - [0:0]`);
  t.same(
    chains(rules.join('\n')),
    [test.forwardChain, test.inputChain].map(name => `firewall chain ${name}`),
  );
});
