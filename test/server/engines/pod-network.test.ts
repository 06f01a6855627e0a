import t from 'tap';
import { filterScript } from '../../../src/server/engines/kubernetes/filter.js';
import { namesOf } from '../../../src/server/engines/kubernetes/names.js';
import { networkPolicy, type PolicyOptions } from '../../../src/server/engines/kubernetes/policy.js';
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

const options: PolicyOptions = {
  names: namesOf('berth', null),
  kubernetes: { namespace: 'sessions', ownNamespace: 'berth', nameServers: ['10.96.0.10'], reach: 'pod' },
  allow: ['10.1.0.0/16'],
};

const specOf = (changes: Partial<PolicyOptions['kubernetes']>) =>
  networkPolicy({ ...options, kubernetes: { ...options.kubernetes, ...changes } }).spec as {
    ingress?: { from: unknown[] }[];
    egress: { to: unknown[]; ports: { port: number }[] }[];
  };

t.test('a policy selects sessions and probes, and closes the same ranges', async t => {
  const { metadata, spec } = networkPolicy(options);
  t.match(metadata, { name: 'berth-sessions', namespace: 'sessions' });
  t.match(spec, {
    podSelector: {
      matchLabels: { 'berth.instance': 'berth' },
      matchExpressions: [{ key: 'berth.role', operator: 'In', values: ['session', 'probe'] }],
    },
    policyTypes: ['Ingress', 'Egress'],
    egress: [
      { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: CLOSED } }] },
      { to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] },
    ],
  });
  const { spec: plain } = networkPolicy({ ...options, allow: [] });
  t.equal((plain as { egress: unknown[] }).egress.length, 3, 'an empty list of ranges would mean all of them');
});

t.test('a policy lets nobody in but the service, in its own namespace', async t => {
  const podSelector = { matchLabels: { 'app.kubernetes.io/name': 'berth' } };
  const ports = [{ protocol: 'TCP', port: 7000 }];
  const own = { matchLabels: { 'kubernetes.io/metadata.name': 'berth' } };
  t.same(specOf({}).ingress, [{ from: [{ namespaceSelector: own, podSelector }], ports }]);
  t.same(specOf({ ownNamespace: 'sessions' }).ingress, [{ from: [{ podSelector }], ports }], 'without that label');
  t.notOk('ingress' in specOf({ ownNamespace: null, reach: 'port-forward' }), 'nobody by the network');
  t.same(specOf({ ownNamespace: null }).ingress?.[0]?.from, [{ namespaceSelector: {}, podSelector }]);
});

t.test('a policy opens port 53 of name servers alone, whatever else listens at their addresses', async t => {
  const nameServers = ['169.254.169.254', '169.254.20.10', 'fd00::a'];
  const [, , dns, openShift] = specOf({ nameServers }).egress;
  t.same(dns?.to, [
    { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
    { ipBlock: { cidr: '169.254.20.10/32' } },
    { ipBlock: { cidr: '169.254.169.254/32' } },
    { ipBlock: { cidr: 'fd00::a/128' } },
  ]);
  t.same(dns?.ports, [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ]);
  t.match(openShift, {
    to: [
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' } },
        podSelector: { matchLabels: { 'dns.operator.openshift.io/daemonset-dns': 'default' } },
      },
    ],
    ports: [{ port: 5353 }, { port: 5353 }],
  });
});
