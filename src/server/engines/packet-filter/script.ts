import type { Rule, Rules, RuleSet } from './rules.js';

/** Selects the iptables backend that the engine itself uses. */
const PICK_BACKEND = `
for backend in iptables-nft iptables-legacy; do
  if $backend -n -L DOCKER-USER >/dev/null 2>&1; then break; fi
  backend=
done
[ -n "$backend" ] || { echo 'no packet filter with the chain DOCKER-USER' >&2; exit 1; }
`;

/** Printed when rules had to be restored. */
export const RESTORED = 'rules in place';

const uniqueChains = (rules: RuleSet) => [...new Set(rules.chains.map(({ chain }) => chain))];
const test = ({ chain, rule }: Rule) => `$backend -C ${chain} ${rule} 2>/dev/null`;
const all = (rules: RuleSet) => [...rules.chains, ...rules.hooks];

/** Applies to both IP versions; a host without IPv6 needs no rules for it. */
const forBoth = ({ ipv4, ipv6 }: Rules, part: (rules: RuleSet) => string) => `${part(ipv4)}
if [ -e /proc/net/if_inet6 ]; then
backend=ip6tables-\${backend#iptables-}
${part(ipv6)}
fi
`;

const apply = (rules: RuleSet) => `{
  echo '*filter'
${uniqueChains(rules)
  .map(chain => `  echo ':${chain} - [0:0]'`)
  .join('\n')}
${rules.chains.map(({ chain, rule }) => `  echo '-A ${chain} ${rule}'`).join('\n')}
${rules.hooks.map(hook => `  if ${test(hook)}; then echo '-D ${hook.chain} ${hook.rule}'; fi`).join('\n')}
${rules.hooks.map(({ chain, rule }) => `  echo '-I ${chain} 1 ${rule}'`).join('\n')}
  echo COMMIT
} | $backend-restore --noflush
${all(rules)
  .map(({ chain, rule }) => `$backend -C ${chain} ${rule}`)
  .join('\n')}`;

/** Exits with status 1 unless our chains hold exactly these rules and the built-in chains jump to them. */
const check = (rules: RuleSet) => `${all(rules)
  .map(rule => `${test(rule)} || exit 1`)
  .join('\n')}
${uniqueChains(rules)
  .map(chain => {
    const count = rules.chains.filter(rule => rule.chain === chain).length;
    return `[ "$($backend -S ${chain} | grep -c '^-A')" = ${count} ] || exit 1`;
  })
  .join('\n')}`;

/** A shell script that replaces the rules atomically and verifies them. */
export function applyScript(rules: Rules): string {
  return `set -eu
${PICK_BACKEND}
${forBoth(rules, apply)}
echo '${RESTORED}'
`;
}

/** A shell script that restores the rules if they are not in force, and reports whether it had to. */
export function repairScript(rules: Rules): string {
  return `set -u
if (
${PICK_BACKEND}
${forBoth(rules, check)}
); then exit 0; fi
${applyScript(rules)}`;
}

/** A shell script that removes the rules, if any. */
export function removeScript(rules: Rules): string {
  const remove = (set: RuleSet) => `
${set.hooks.map(hook => `while ${test(hook)}; do $backend -D ${hook.chain} ${hook.rule}; done`).join('\n')}
${uniqueChains(set)
  .map(chain => `$backend -F ${chain} 2>/dev/null && $backend -X ${chain}`)
  .join('\n')}`;
  return `set -u
${PICK_BACKEND}
${forBoth(rules, remove)}
exit 0
`;
}
