import { BlockList, isIPv6 } from 'node:net';

/** Addresses that are not public: this host, private, carrier, link-local, special, multicast, reserved. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15], ['198.51.100.0', 24],
  ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4],
] as const) PRIVATE.addSubnet(network, prefix, 'ipv4');

/** Of IPv6 only the global unicast addresses are public, without those that lead to others. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
const NOT_GLOBAL = new BlockList();
for (const [network, prefix] of [['2001::', 23], ['2001:db8::', 32], ['2002::', 16]] as const) {
  NOT_GLOBAL.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address belongs to a network that strangers must not reach through the service. */
export function isPrivate(address: string): boolean {
  if (!isIPv6(address)) return PRIVATE.check(address, 'ipv4');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return PRIVATE.check(mapped, 'ipv4');
  return !GLOBAL.check(address, 'ipv6') || NOT_GLOBAL.check(address, 'ipv6');
}
