import t from 'tap';
import { applyScript } from '../../../src/server/engines/packet-filter/script.js';
import { egressRules, resolversIn } from '../../../src/server/engines/docker/egress.js';
import { namesOf } from '../../../src/server/engines/docker/names.js';

const names = namesOf('berth');
const egress = { resolvers: ['192.0.2.53'], allow: ['10.1.0.0/16'], connections: 100, connectionRate: 10 };
const { ipv4: rules, ipv6 } = egressRules(names, egress, []);
const forward = rules.chains.filter(({ chain }) => chain === names.forwardChain).map(({ rule }) => rule);
const input = rules.chains.filter(({ chain }) => chain === names.inputChain).map(({ rule }) => rule);

t.test('containers reach neither each other nor private ranges, except allowed ones and DNS', async t => {
  const position = (rule: string) => forward.indexOf(rule);
  t.ok(position('-o br-berth -j DROP') >= 0);
  for (const range of [
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '168.63.129.16/32',
    '161.26.0.0/16',
    '166.8.0.0/14',
    '192.80.8.124/32',
  ]) {
    t.ok(position(`-d ${range} -j DROP`) > position('-d 10.1.0.0/16 -j ACCEPT'), range);
  }
  t.ok(position('-d 10.1.0.0/16 -j ACCEPT') > position('-o br-berth -j DROP'), 'not even by an allowed range');
  t.ok(position('-d 192.0.2.53/32 -p udp -m udp --dport 53 -j ACCEPT') >= 0);
});

const limits = [
  '-m connlimit --connlimit-above 100 --connlimit-mask 32 --connlimit-saddr -j DROP',
  '-m hashlimit --hashlimit-above 10/sec --hashlimit-burst 200 --hashlimit-mode srcip --hashlimit-name br-berth-10-20 --hashlimit-htable-expire 20000 -j DROP',
];

t.test('connections are limited per container before anything is allowed', async t => {
  const first = forward.findIndex(rule => /-j ACCEPT$/.test(rule) && !rule.includes('ESTABLISHED'));
  for (const limit of limits) t.ok(forward.includes(limit) && forward.indexOf(limit) < first, limit);
});

t.test('IPv6 is blocked, however a container came by it', async t => {
  t.same(
    ipv6.chains.map(({ rule }) => rule),
    ['-j DROP', '-j DROP'],
  );
  t.same(
    ipv6.hooks.map(({ chain }) => chain),
    ['FORWARD', 'FORWARD', 'INPUT'],
  );
});

t.test('the host answers only DNS, and replies to its own requests', async t => {
  t.same(input, [
    '-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
    ...limits,
    '-d 192.0.2.53/32 -p udp -m udp --dport 53 -j ACCEPT',
    '-d 192.0.2.53/32 -p tcp -m tcp --dport 53 -j ACCEPT',
    '-j DROP',
  ]);
});

t.test('rules are installed in one step and then verified', async t => {
  const script = applyScript({ ipv4: rules, ipv6 });
  t.match(script, '--noflush');
  for (const { chain, rule } of [rules, ipv6].flatMap(set => [...set.chains, ...set.hooks]))
    t.ok(script.includes(`need '${chain} ${rule}'`));
});

t.test('resolvers are those that a container can reach', async t => {
  const text =
    '# comment\nnameserver 192.0.2.53\nnameserver 127.0.0.53\nnameserver 2001:db8::1\nnameserver 192.0.2.53\nsearch x\n';
  t.same(resolversIn(text), ['192.0.2.53']);
});
