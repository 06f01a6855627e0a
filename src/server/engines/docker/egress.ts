import type { Names } from './names.js';

/**
 * What containers may not reach. Not public: "this network", private, carrier-grade NAT (Alibaba's metadata), loopback,
 * link-local (most clouds' metadata), special-purpose (Oracle's former metadata), documentation, benchmarking,
 * multicast, reserved.
 */
const CLOSED_RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/** Public addresses that lead into a cloud's platform, but only from its own machines. */
const CLOUD_PLATFORMS = [
  // Azure: machine agent and certificates, DHCP, DNS.
  '168.63.129.16/32',
  // IBM Cloud: platform services, and the account's services.
  '161.26.0.0/16',
  '166.8.0.0/14',
  // Equinix Metal: metadata.
  '192.80.8.124/32',
  // Google Cloud: private access to its APIs.
  '199.36.153.4/30',
  '199.36.153.8/30',
] as const;

/** Burst of new flows, in seconds of the rate. */
const BURST_S = 20;

/** A rule: its chain, and its text as iptables takes it. */
export interface Rule {
  chain: string;
  rule: string;
}

/** The required packet filter rules of one IP version. */
export interface RuleSet {
  /** Rules of our own chains, in order. */
  chains: Rule[];
  /** Rules at the top of built-in chains that jump to our own. */
  hooks: Rule[];
}

/** Rules for both IP versions. */
export interface Rules {
  ipv4: RuleSet;
  ipv6: RuleSet;
}

/** Options that determine what containers may reach. */
export interface Egress {
  /** Name servers that they may query. */
  resolvers: readonly string[];
  /** Ranges that they may reach although they are blocked otherwise. */
  allow: readonly string[];
  /** Concurrent flows allowed per container, and new ones per second. */
  connections: number;
  connectionRate: number;
}

/**
 * Rules for what containers on the bridge may reach: the public internet, the ranges in `allow`, and DNS at
 * `resolvers`; never each other, the host, or anything private. They have no IPv6, so all of it is dropped.
 */
export function egressRules(names: Names, { resolvers, allow, connections, connectionRate }: Egress): Rules {
  const { bridge, forwardChain, inputChain } = names;
  const dns = resolvers.flatMap(resolver =>
    ['udp', 'tcp'].map(protocol => `-d ${resolver}/32 -p ${protocol} -m ${protocol} --dport 53 -j ACCEPT`),
  );
  const answers = '-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT';
  // The kernel keeps the parameters a hashlimit name was created with, so a different rate needs a different name.
  const bucket = `--hashlimit-mode srcip --hashlimit-name ${bridge}-${connectionRate}`;
  const limits = [
    `-m connlimit --connlimit-above ${connections} --connlimit-mask 32 --connlimit-saddr -j DROP`,
    `-m hashlimit --hashlimit-above ${connectionRate}/sec --hashlimit-burst ${connectionRate * BURST_S} ${bucket} -j DROP`,
  ];
  const forward = [
    answers,
    `-o ${bridge} -j DROP`,
    ...limits,
    ...dns,
    ...allow.map(range => `-d ${range} -j ACCEPT`),
    ...[...CLOSED_RANGES, ...CLOUD_PLATFORMS].map(range => `-d ${range} -j DROP`),
    '-j RETURN',
  ];
  const input = [answers, ...limits, ...dns, '-j DROP'];
  const inChain = (chain: string, rules: string[]) => rules.map(rule => ({ chain, rule }));
  return {
    ipv4: {
      chains: [...inChain(forwardChain, forward), ...inChain(inputChain, input)],
      hooks: [
        { chain: 'DOCKER-USER', rule: `-i ${bridge} -j ${forwardChain}` },
        // Replies from allowed ranges arrive over other bridges, which the engine isolates from ours.
        { chain: 'DOCKER-USER', rule: `-o ${bridge} ${answers}` },
        { chain: 'INPUT', rule: `-i ${bridge} -j ${inputChain}` },
      ],
    },
    ipv6: {
      chains: [...inChain(forwardChain, ['-j DROP']), ...inChain(inputChain, ['-j DROP'])],
      hooks: [
        { chain: 'FORWARD', rule: `-i ${bridge} -j ${forwardChain}` },
        { chain: 'FORWARD', rule: `-o ${bridge} -j ${forwardChain}` },
        { chain: 'INPUT', rule: `-i ${bridge} -j ${inputChain}` },
      ],
    },
  };
}

/** IPv4 name servers in a resolv.conf that containers can reach. */
export function resolversIn(resolvConf: string): string[] {
  const found = [...resolvConf.matchAll(/^\s*nameserver\s+(\d{1,3}(?:\.\d{1,3}){3})\s*$/gm)].map(
    match => match[1] ?? '',
  );
  return [...new Set(found)].filter(address => !address.startsWith('127.'));
}
