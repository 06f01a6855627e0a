import t from 'tap';
import { awayFrom, deviceRules, macOf } from '../../../src/server/engines/docker/device-network.js';
import { egressRules, openRules } from '../../../src/server/engines/docker/egress.js';
import { namesOf } from '../../../src/server/engines/docker/names.js';
import { applyScript } from '../../../src/server/engines/packet-filter/script.js';

const names = namesOf('a-rather-long-instance-name-1');
const devices = [
  { host: '10.1.2.3', port: 5555 },
  { host: '10.1.2.4', port: 5556 },
];
const limits = { connections: 100, connectionRate: 10 };
const { ipv4, ipv6 } = deviceRules(names, devices, limits);
const of = (chain: string) => ipv4.chains.filter(rule => rule.chain === chain).map(({ rule }) => rule);

t.test('each container reaches the port of its own device, and nothing else', async t => {
  const [one, other] = devices.map(macOf);
  t.match(one, /^02(:[0-9a-f]{2}){5}$/);
  t.not(one, other);
  for (const chain of [names.devices.forwardChain, names.devices.inputChain]) {
    const rules = of(chain).filter(rule => !/ESTABLISHED|limit|^-o /.test(rule));
    t.same(rules, [
      `-m mac --mac-source ${one} -p tcp -m conntrack --ctorigdst 10.1.2.3/32 --ctorigdstport 5555 -j ACCEPT`,
      `-m mac --mac-source ${other} -p tcp -m conntrack --ctorigdst 10.1.2.4/32 --ctorigdstport 5556 -j ACCEPT`,
      '-j DROP',
    ]);
  }
  t.ok(of(names.devices.forwardChain).includes(`-o ${names.devices.bridge} -j DROP`), 'nor each other');
  t.same([...new Set(ipv6.chains.map(({ rule }) => rule))], ['-j DROP']);
});

t.test('a container opens a limited number of connections to its device', async t => {
  for (const chain of [names.devices.forwardChain, names.devices.inputChain]) {
    const rules = of(chain);
    const limiting = rules.findIndex(rule => rule.startsWith('-m connlimit --connlimit-above 100 '));
    t.match(rules[limiting + 1], /^-m hashlimit --hashlimit-above 10\/sec --hashlimit-burst 200 .* -j DROP$/);
    t.ok(limiting >= 0 && limiting < rules.findIndex(rule => rule.includes('--mac-source')), chain);
  }
});

t.test('other sessions reach no device, whatever is allowed', async t => {
  const closed = egressRules(names, { resolvers: ['10.1.2.3'], allow: ['10.1.0.0/16'], ...limits }, devices);
  const forward = closed.ipv4.chains.filter(({ chain }) => chain === names.forwardChain).map(({ rule }) => rule);
  for (const rule of awayFrom(devices)) {
    t.ok(forward.includes(rule), rule);
    t.ok(forward.indexOf(rule) < forward.indexOf('-d 10.1.0.0/16 -j ACCEPT'));
  }
  const open = openRules(names, devices).ipv4;
  t.same(
    open.chains.map(({ rule }) => rule),
    [...awayFrom(devices), '-j RETURN', ...awayFrom(devices), '-j RETURN'],
  );
  t.ok(applyScript({ ipv4: open, ipv6 }).includes('--ctorigdst 10.1.2.4/32 -j DROP'));
});

t.test('names are short enough for network interfaces', async t => {
  t.ok(names.devices.bridge.length <= 15);
  t.ok(names.devices.forwardChain.length <= 28);
});
