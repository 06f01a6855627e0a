import t from 'tap';
import { applyScript, egressRules, resolversIn } from '../../../src/server/engines/docker/egress.js';
import { namesOf } from '../../../src/server/engines/docker/names.js';

const names = namesOf('berth');
const rules = egressRules(names, ['192.0.2.53'], ['10.1.0.0/16']);
const forward = rules.chains.filter(({ chain }) => chain === names.forwardChain).map(({ rule }) => rule);
const input = rules.chains.filter(({ chain }) => chain === names.inputChain).map(({ rule }) => rule);

t.test('containers reach neither each other nor private ranges, except those allowed and DNS', async t => {
  const position = (rule: string) => forward.indexOf(rule);
  t.ok(position('-o br-berth -j DROP') >= 0);
  for (const range of [
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    '100.64.0.0/10',
    '127.0.0.0/8',
  ]) {
    t.ok(position(`-d ${range} -j DROP`) > position('-d 10.1.0.0/16 -j ACCEPT'), range);
  }
  t.ok(
    position('-d 10.1.0.0/16 -j ACCEPT') > position('-o br-berth -j DROP'),
    'not even by an allowed range',
  );
  t.ok(position('-d 192.0.2.53/32 -p udp -m udp --dport 53 -j ACCEPT') >= 0);
});

t.test('the host answers nothing but DNS, and what it asked for itself', async t => {
  t.same(input, [
    '-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
    '-d 192.0.2.53/32 -p udp -m udp --dport 53 -j ACCEPT',
    '-d 192.0.2.53/32 -p tcp -m tcp --dport 53 -j ACCEPT',
    '-j DROP',
  ]);
});

t.test('rules are put in place in one step and then proven', async t => {
  const script = applyScript(rules);
  t.match(script, '--noflush');
  for (const { chain, rule } of [...rules.chains, ...rules.hooks])
    t.ok(script.includes(`$backend -C ${chain} ${rule}`));
});

t.test('resolvers are those that a container can reach', async t => {
  const text =
    '# comment\nnameserver 192.0.2.53\nnameserver 127.0.0.53\nnameserver 2001:db8::1\nnameserver 192.0.2.53\nsearch x\n';
  t.same(resolversIn(text), ['192.0.2.53']);
});
