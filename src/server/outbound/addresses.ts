import { BlockList, isIPv6 } from 'node:net';

type Subnet = readonly [network: string, prefix: number];

/** Makes a list of subnets of one address family. */
function listOf(family: 'ipv4' | 'ipv6', subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}

/**
 * Addresses that no integrator's server can have: "this network" (loopback on Linux), link-local with most clouds'
 * metadata services, metadata and platform services at other addresses, multicast, reserved.
 */
const SPECIAL_4 = listOf('ipv4', [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Alibaba, Azure, Oracle.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
]);

/**
 * The same for IPv6, with obsolete IPv4 forms (compatible, Teredo) and network-specific ones (local NAT64). Loopback is
 * within these ranges and is excepted.
 */
const SPECIAL_6 = listOf('ipv6', [
  ['::', 96],
  ['fe80::', 10],
  ['ff00::', 8],
  ['2001::', 32],
  ['64:ff9b:1::', 48],
  // Amazon, Google, Scaleway, Oracle.
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fd00:42::', 32],
  ['fd00:c1::', 32],
]);

/** Non-public addresses: this host, private, carrier-grade NAT, link-local, special-purpose, multicast, reserved. */
const PRIVATE_4 = listOf('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** In IPv6 only global unicast addresses are public, except those that lead to others. */
const GLOBAL_6 = listOf('ipv6', [['2000::', 3]]);
const NOT_GLOBAL_6 = listOf('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
]);

const LOOPBACK = listOf('ipv4', [['127.0.0.0', 8]]);

/**
 * IPv6 prefixes that embed an IPv4 address, and the index of the word where it begins: mapped, translated, NAT64, 6to4.
 */
const WRAPPERS = (
  [
    [['::ffff:0:0', 96], 6],
    [['::ffff:0:0:0', 96], 6],
    [['64:ff9b::', 96], 6],
    [['2002::', 16], 1],
  ] as const
).map(([subnet, word]) => ({ list: listOf('ipv6', [subnet]), word }));

/** An IPv6 address in its shortest form, hexadecimal throughout. */
const normal = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);

/** The eight words of an IPv6 address. */
function wordsOf(address: string): number[] {
  const [head = '', tail] = normal(address).split('::');
  const parse = (part: string) => (part === '' ? [] : part.split(':').map(word => parseInt(word, 16)));
  const [first, last] = [parse(head), parse(tail ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** The canonical form of an address: without a zone, and an IPv4 address if it only wraps one. */
export function plainAddress(address: string): string {
  const bare = address.split('%')[0] ?? '';
  if (!isIPv6(bare)) return bare;
  const wrapper = WRAPPERS.find(({ list }) => list.check(bare, 'ipv6'));
  if (wrapper === undefined) return normal(bare);
  const [high = 0, low = 0] = wordsOf(bare).slice(wrapper.word);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Whether requests to a canonical address are never allowed, since it cannot be an integrator's. */
export function isSpecial(address: string): boolean {
  if (!isIPv6(address)) return SPECIAL_4.check(address, 'ipv4');
  return address !== '::1' && SPECIAL_6.check(address, 'ipv6');
}

/** Whether a canonical address belongs to a network that must not be reached through the service. */
export function isPrivate(address: string): boolean {
  if (!isIPv6(address)) return PRIVATE_4.check(address, 'ipv4');
  return !GLOBAL_6.check(address, 'ipv6') || NOT_GLOBAL_6.check(address, 'ipv6');
}

/** Whether a canonical address is this machine's loopback. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (!isIPv6(address) && LOOPBACK.check(address, 'ipv4'));
}

/** Whether a canonical address is in one of the subnets, in CIDR notation. */
export function isWithin(address: string, subnets: readonly string[]): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return subnets.some(subnet => {
    const [network = '', prefix] = subnet.split('/');
    if (isIPv6(network) !== isIPv6(address)) return false;
    return listOf(family, [[network, Number(prefix)]]).check(address, family);
  });
}
