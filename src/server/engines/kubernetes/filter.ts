import { AGENT_PORT } from '../../../protocol/message-type.js';
import { answers, CLOSED, type Egress, flowLimits } from '../packet-filter/rules.js';
import { LOOK } from '../packet-filter/script.js';

/** Our chains in a Pod's own network namespace. */
const [OUT, IN] = ['BERTH-OUT', 'BERTH-IN'];

/** The rules of one version of IP. */
interface Version {
  tool: 'iptables' | 'ip6tables';
  /** Pattern of a name server's address of this version in resolv.conf. */
  resolver: string;
  /** Prefix length of a single address. */
  bits: number;
  /** Rules for outgoing packets, before and after those for name servers. */
  out: { first: readonly string[]; last: readonly string[] };
  in: readonly string[];
}

/** Neighbour discovery, without which nobody could reach the agent by IPv6. */
const neighbours = [135, 136].map(type => `-p ipv6-icmp -m icmp6 --icmpv6-type ${type} -j ACCEPT`);

const agent = `-p tcp -m tcp --dport ${AGENT_PORT} -j ACCEPT`;

/** Applies the rules of one version atomically, and fails unless they are in force afterwards. */
const apply = ({ tool, resolver, bits, out, in: inward }: Version) => `
backend=${tool}-$variant
resolvers=$(sed -nE 's/^[[:space:]]*nameserver[[:space:]]+(${resolver})[[:space:]]*$/\\1/p' /etc/resolv.conf)
{
  echo '*filter'
  echo ':${OUT} - [0:0]'
  echo ':${IN} - [0:0]'
${lines(OUT, out.first)}
  for resolver in $resolvers; do for protocol in udp tcp; do
    echo "-A ${OUT} -d $resolver/${bits} -p $protocol -m $protocol --dport 53 -j ACCEPT"
  done; done
${lines(OUT, out.last)}
${lines(IN, inward)}
  echo '-I OUTPUT 1 -j ${OUT}'
  echo '-I INPUT 1 -j ${IN}'
  echo COMMIT
} | $backend-restore --noflush
look
need 'OUTPUT -j ${OUT}'
need 'INPUT -j ${IN}'
${[...out.first, ...out.last].map(rule => `need '${OUT} ${rule}'`).join('\n')}
${inward.map(rule => `need '${IN} ${rule}'`).join('\n')}`;

const lines = (chain: string, rules: readonly string[]) => rules.map(rule => `  echo '-A ${chain} ${rule}'`).join('\n');

/**
 * A shell script that restricts a Pod's network from inside, before anything else runs in it: by the rules of
 * containers on Docker, and so that only the agent's port can be reached. It needs NET_ADMIN, which the session's
 * container lacks.
 */
export function filterScript({ allow, connections, connectionRate }: Omit<Egress, 'resolvers'>): string {
  const limits = flowLimits(connections, connectionRate, 'berth');
  const ipv4 = apply({
    tool: 'iptables',
    resolver: '[0-9]+(\\.[0-9]+){3}',
    bits: 32,
    out: {
      first: ['-o lo -j ACCEPT', answers, ...limits],
      last: [...allow.map(range => `-d ${range} -j ACCEPT`), ...CLOSED.map(range => `-d ${range} -j DROP`)],
    },
    in: ['-i lo -j ACCEPT', answers, agent, '-j DROP'],
  });
  const ipv6 = apply({
    tool: 'ip6tables',
    resolver: '[0-9a-fA-F]*:[0-9a-fA-F:.]+',
    bits: 128,
    out: { first: ['-o lo -j ACCEPT', answers, ...neighbours], last: ['-j DROP'] },
    in: ['-i lo -j ACCEPT', answers, ...neighbours, agent, '-j DROP'],
  });
  return `set -eu
for variant in nft legacy; do
  if iptables-$variant -n -L OUTPUT >/dev/null 2>&1; then break; fi
  variant=
done
[ -n "$variant" ] || { echo 'the node has no packet filter for Pods' >&2; exit 1; }
${LOOK}
${ipv4}
if [ -e /proc/net/if_inet6 ]; then
${ipv6}
fi
`;
}
