import type { Rule, Rules, RuleSet } from './rules.js';

/** Selects the iptables backend that the engine itself uses. */
const PICK_BACKEND = `
for backend in iptables-nft iptables-legacy; do
  if $backend -n -L DOCKER-USER >/dev/null 2>&1; then break; fi
  backend=
done
[ -n "$backend" ] || { echo 'no packet filter with the chain DOCKER-USER' >&2; exit 1; }
`;

/**
 * Shell functions for the rules of $backend: `look` reads them, and `has` tells whether one was among them. iptables
 * itself is asked only for a rule that it may print in another form, since starting it for each of fifty takes
 * longer than all the rest. `need` exits unless a rule is there.
 */
export const LOOK = `
look() { table=$($backend -S); }
has() {
  case "
$table
" in *"
-A $1
"*) return 0 ;; esac
  $backend -C $1 2>/dev/null
}
need() { has "$1" || { echo "not in force: $1" >&2; exit 1; }; }
`;

/** Printed when rules had to be restored. */
export const RESTORED = 'rules in place';

const uniqueChains = (rules: RuleSet) => [...new Set(rules.chains.map(({ chain }) => chain))];
const text = ({ chain, rule }: Rule) => `${chain} ${rule}`;
const needAll = ({ chains, hooks }: RuleSet) => [...chains, ...hooks].map(rule => `need '${text(rule)}'`).join('\n');

/** Applies to both IP versions; a host without IPv6 needs no rules for it. */
const forBoth = ({ ipv4, ipv6 }: Rules, part: (rules: RuleSet) => string) => `${part(ipv4)}
if [ -e /proc/net/if_inet6 ]; then
backend=ip6tables-\${backend#iptables-}
${part(ipv6)}
fi
`;

const apply = (rules: RuleSet) => `look
{
  echo '*filter'
${uniqueChains(rules)
  .map(chain => `  echo ':${chain} - [0:0]'`)
  .join('\n')}
${rules.chains.map(rule => `  echo '-A ${text(rule)}'`).join('\n')}
${rules.hooks.map(hook => `  if has '${text(hook)}'; then echo '-D ${text(hook)}'; fi`).join('\n')}
${rules.hooks.map(({ chain, rule }) => `  echo '-I ${chain} 1 ${rule}'`).join('\n')}
  echo COMMIT
} | $backend-restore --noflush
look
${needAll(rules)}`;

/** Exits with status 1 unless our chains hold exactly these rules and the built-in chains jump to them. */
const check = (rules: RuleSet) => `look
${needAll(rules)}
${uniqueChains(rules)
  .map(chain => {
    const count = rules.chains.filter(rule => rule.chain === chain).length;
    return `[ "$(echo "$table" | grep -c '^-A ${chain} ')" = ${count} ] || exit 1`;
  })
  .join('\n')}`;

/** A shell script that replaces the rules atomically and verifies them. */
export function applyScript(rules: Rules): string {
  return `set -eu
${PICK_BACKEND}
${LOOK}
${forBoth(rules, apply)}
echo '${RESTORED}'
`;
}

/** A shell script that restores the rules if they are not in force, and reports whether it had to. */
export function repairScript(rules: Rules): string {
  return `set -u
if (
${PICK_BACKEND}
${LOOK}
${forBoth(rules, check)}
) 2>/dev/null; then exit 0; fi
${applyScript(rules)}`;
}

/** A shell script that removes the rules, if any. Others may change some at the same time, so it tries three times. */
export function removeScript(rules: Rules): string {
  const remove = ({ chains, hooks }: RuleSet) => {
    const names = uniqueChains({ chains, hooks });
    return `for try in 1 2 3; do
look
{
  echo '*filter'
  echo "$table" | grep -xF ${hooks.map(hook => `-e '-A ${text(hook)}'`).join(' ')} | sed 's/^-A/-D/'
  existing=$(echo "$table" | grep -xF ${names.map(chain => `-e '-N ${chain}'`).join(' ')})
  echo "$existing" | sed 's/^-N/-F/'
  echo "$existing" | sed 's/^-N/-X/'
  echo COMMIT
} | $backend-restore --noflush && break
done`;
  };
  return `set -u
${PICK_BACKEND}
${LOOK}
${forBoth(rules, remove)}
exit 0
`;
}
