import t from 'tap';
import { filterScript } from '../../../src/server/engines/kubernetes/filter.js';
import { namesOf } from '../../../src/server/engines/kubernetes/names.js';
import { networkPolicy } from '../../../src/server/engines/kubernetes/policy.js';
import { CLOSED } from '../../../src/server/engines/packet-filter/rules.js';

const script = filterScript({ allow: ['10.1.0.0/16'], connections: 100, connectionRate: 10 });
const restored = [...script.matchAll(/echo '-A (BERTH-\w+) (.*)'/g)].map(([, chain, rule]) => `${chain} ${rule}`);
const [ipv4, ipv6] = [script.split('ip6tables-$variant-restore')[0] ?? '', script.split('if_inet6')[1] ?? ''];

t.test('a filter lets a Pod reach name servers and what is allowed before it closes the rest', async t => {
  const at = (text: string) => ipv4.indexOf(text);
  t.ok(at('-d $resolver/32') > at('connlimit'), 'name servers count for the limits');
  t.ok(at('-d 10.1.0.0/16 -j ACCEPT') > at('-d $resolver/32'));
  for (const range of CLOSED) t.ok(at(`-d ${range} -j DROP`) > at('-d 10.1.0.0/16 -j ACCEPT'), range);
  t.ok(restored.includes('BERTH-OUT -o lo -j ACCEPT'));
});

t.test('nobody gets into a Pod but to its agent', async t => {
  const inward = restored.filter(rule => rule.startsWith('BERTH-IN'));
  const versions = [inward.slice(0, 4), inward.slice(4)];
  for (const rules of versions) {
    t.equal(rules[0], 'BERTH-IN -i lo -j ACCEPT');
    t.equal(rules.at(-2), 'BERTH-IN -p tcp -m tcp --dport 7000 -j ACCEPT');
    t.equal(rules.at(-1), 'BERTH-IN -j DROP');
  }
});

t.test('by IPv6 a Pod asks name servers, and nobody else anything', async t => {
  const outward = [...ipv6.matchAll(/echo ['"]-A BERTH-OUT (.*)['"]/g)].map(([, rule]) => rule);
  t.same(outward, [
    '-o lo -j ACCEPT',
    '-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
    '-p ipv6-icmp -m icmp6 --icmpv6-type 135 -j ACCEPT',
    '-p ipv6-icmp -m icmp6 --icmpv6-type 136 -j ACCEPT',
    '-d $resolver/128 -p $protocol -m $protocol --dport 53 -j ACCEPT',
    '-j DROP',
  ]);
});

t.test('a filter that does not hold ends with an error', async t => {
  t.match(script, /^set -eu\n/);
  for (const tool of ['iptables', 'ip6tables']) {
    const part = script.split(`\nbackend=${tool}-$variant\n`)[1] ?? '';
    for (const rule of ['OUTPUT -j BERTH-OUT', 'INPUT -j BERTH-IN', 'BERTH-IN -j DROP'])
      t.ok(part.includes(`\nneed '${rule}'`), `${tool}: ${rule}`);
  }
});

t.test('a policy selects sessions and probes, and closes the same ranges', async t => {
  const { metadata, spec } = networkPolicy(namesOf('berth', null), 'sessions', ['10.1.0.0/16']);
  t.match(metadata, { name: 'berth-sessions', namespace: 'sessions' });
  t.match(spec, {
    podSelector: {
      matchLabels: { 'berth.instance': 'berth' },
      matchExpressions: [{ key: 'berth.role', operator: 'In', values: ['session', 'probe'] }],
    },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ ports: [{ protocol: 'TCP', port: 7000 }] }],
    egress: [
      { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: CLOSED } }] },
      { to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] },
      {
        to: [{ podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }, { ipBlock: { cidr: '169.254.20.10/32' } }],
        ports: [{ port: 53 }, { port: 53 }],
      },
    ],
  });
  const { spec: plain } = networkPolicy(namesOf('berth', null), 'sessions', []);
  t.equal((plain as { egress: unknown[] }).egress.length, 2, 'an empty list of ranges would mean all of them');
});
