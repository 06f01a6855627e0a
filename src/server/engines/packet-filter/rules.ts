/**
 * Ranges that containers may not reach. Not public: "this network", private, carrier-grade NAT (Alibaba's metadata),
 * loopback, link-local (most clouds' metadata), special-purpose (Oracle's former metadata), documentation,
 * benchmarking, multicast, reserved.
 */
const PRIVATE = [
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

/** All that is closed if sessions may reach public addresses only. */
export const CLOSED: readonly string[] = [...PRIVATE, ...CLOUD_PLATFORMS];

/** Burst of new flows, in seconds of the rate. */
export const BURST_S = 20;

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

/** Accepts packets of flows that were accepted before. */
export const answers = '-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT';

/** Accepts DNS queries to these name servers. */
export const dnsTo = (resolvers: readonly string[]): string[] =>
  resolvers.flatMap(resolver =>
    ['udp', 'tcp'].map(protocol => `-d ${resolver}/32 -p ${protocol} -m ${protocol} --dport 53 -j ACCEPT`),
  );

/**
 * Limits each source's concurrent and new flows; `name` identifies the kernel's counters. A source is forgotten when it
 * was idle for so long that its burst is whole again; by default that is a second, after which it had a new burst.
 */
export const flowLimits = (connections: number, rate: number, name: string): string[] => [
  `-m connlimit --connlimit-above ${connections} --connlimit-mask 32 --connlimit-saddr -j DROP`,
  `-m hashlimit --hashlimit-above ${rate}/sec --hashlimit-burst ${rate * BURST_S} --hashlimit-mode srcip --hashlimit-name ${name} --hashlimit-htable-expire ${BURST_S * 1000} -j DROP`,
];

export const inChain = (chain: string, rules: readonly string[]): Rule[] => rules.map(rule => ({ chain, rule }));
