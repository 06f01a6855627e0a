import type { Names } from './names.js';

/** Ranges that are not public: this network, private, carrier, loopback, link-local, special, test, multicast, reserved. */
const CLOSED_RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/** A rule: the chain it stands in, and its text as iptables takes it. */
export interface Rule {
  chain: string;
  rule: string;
}

/** What the packet filter must hold. */
export interface RuleSet {
  /** Rules of own chains, in order. */
  chains: Rule[];
  /** Rules at the top of existing chains that lead to the own ones. */
  hooks: Rule[];
}

/**
 * Rules for what containers on the bridge may reach: the public internet, the ranges in `allow`, and DNS at
 * `resolvers`; never each other, the host, or anything private.
 */
export function egressRules(names: Names, resolvers: readonly string[], allow: readonly string[]): RuleSet {
  const { bridge, forwardChain, inputChain } = names;
  const dns = resolvers.flatMap(resolver =>
    ['udp', 'tcp'].map(protocol => `-d ${resolver}/32 -p ${protocol} -m ${protocol} --dport 53 -j ACCEPT`),
  );
  const answers = '-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT';
  const forward = [
    answers,
    `-o ${bridge} -j DROP`,
    ...dns,
    ...allow.map(range => `-d ${range} -j ACCEPT`),
    ...CLOSED_RANGES.map(range => `-d ${range} -j DROP`),
    '-j RETURN',
  ];
  const input = [answers, ...dns, '-j DROP'];
  return {
    chains: [
      ...forward.map(rule => ({ chain: forwardChain, rule })),
      ...input.map(rule => ({ chain: inputChain, rule })),
    ],
    hooks: [
      { chain: 'DOCKER-USER', rule: `-i ${bridge} -j ${forwardChain}` },
      // Answers of allowed ranges come from other bridges, which the engine keeps apart from ours.
      { chain: 'DOCKER-USER', rule: `-o ${bridge} ${answers}` },
      { chain: 'INPUT', rule: `-i ${bridge} -j ${inputChain}` },
    ],
  };
}

/** Picks the packet filter that the engine itself uses. */
const PICK_BACKEND = `
for backend in iptables-nft iptables-legacy; do
  if $backend -n -L DOCKER-USER >/dev/null 2>&1; then break; fi
  backend=
done
[ -n "$backend" ] || { echo 'no packet filter with the chain DOCKER-USER' >&2; exit 1; }
`;

const uniqueChains = (rules: RuleSet) => [...new Set(rules.chains.map(({ chain }) => chain))];
const hookTest = ({ chain, rule }: Rule) => `$backend -C ${chain} ${rule} 2>/dev/null`;

/** A shell script that puts the rules in place in one step, whatever was there, and proves that they hold. */
export function applyScript(rules: RuleSet): string {
  return `set -eu
${PICK_BACKEND}
{
  echo '*filter'
${uniqueChains(rules)
  .map(chain => `  echo ':${chain} - [0:0]'`)
  .join('\n')}
${rules.chains.map(({ chain, rule }) => `  echo '-A ${chain} ${rule}'`).join('\n')}
${rules.hooks.map(hook => `  if ${hookTest(hook)}; then echo '-D ${hook.chain} ${hook.rule}'; fi`).join('\n')}
${rules.hooks.map(({ chain, rule }) => `  echo '-I ${chain} 1 ${rule}'`).join('\n')}
  echo COMMIT
} | $backend-restore --noflush
${[...rules.chains, ...rules.hooks].map(({ chain, rule }) => `$backend -C ${chain} ${rule}`).join('\n')}
`;
}

/** A shell script that removes the rules; none is no error. */
export function removeScript(rules: RuleSet): string {
  return `set -u
${PICK_BACKEND}
${rules.hooks.map(hook => `while ${hookTest(hook)}; do $backend -D ${hook.chain} ${hook.rule}; done`).join('\n')}
${uniqueChains(rules)
  .map(chain => `$backend -F ${chain} 2>/dev/null && $backend -X ${chain}`)
  .join('\n')}
exit 0
`;
}

/** IPv4 name servers in the text of a resolv.conf that containers can reach. */
export function resolversIn(resolvConf: string): string[] {
  const found = [...resolvConf.matchAll(/^\s*nameserver\s+(\d{1,3}(?:\.\d{1,3}){3})\s*$/gm)].map(
    match => match[1] ?? '',
  );
  return [...new Set(found)].filter(address => !address.startsWith('127.'));
}
