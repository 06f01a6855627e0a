/** The relevant fields of a Chromium declarativeNetRequest rule. */
export interface Rule {
  readonly id: number;
  readonly priority?: number;
  readonly action: {
    readonly type: string;
    readonly redirect?: { readonly extensionPath?: string; readonly [other: string]: unknown };
    readonly [other: string]: unknown;
  };
  readonly condition: {
    readonly urlFilter?: string;
    readonly requestDomains?: readonly string[];
    readonly resourceTypes?: readonly string[];
    readonly [other: string]: unknown;
  };
}

const WHOLE_HOST = /^\|\|([a-z0-9-]+(?:\.[a-z0-9-]+)+)\^$/;
const HOST_ANYWHERE = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

/**
 * Compresses the rules of a filter list to a few kilobytes that a browser can index before its first page: rules that
 * differ only by host are merged. `redirects` are the available replacement files; a redirect to any other file blocks.
 */
export function compact(list: readonly Rule[], redirects: ReadonlySet<string>): Rule[] {
  const single: Omit<Rule, 'id'>[] = [];
  const hostsOf = new Map<string, string[]>();
  for (const { action, condition, priority } of list) {
    const rule = { action: ownRedirect(action, redirects), condition, ...(priority === 1 ? {} : { priority }) };
    if (isPlaceholder(condition) || isMailBeacon(rule)) continue;
    const { urlFilter, ...others } = condition;
    const host = condition.requestDomains ? undefined : WHOLE_HOST.exec(urlFilter ?? '')?.[1];
    if (host === undefined) {
      single.push(rule);
      continue;
    }
    const key = JSON.stringify({ ...rule, condition: others });
    const hosts = hostsOf.get(key);
    if (hosts) hosts.push(host);
    else hostsOf.set(key, [host]);
  }
  const grouped = [...hostsOf].map(([key, hosts]) => {
    const rule = JSON.parse(key) as Omit<Rule, 'id'>;
    return { ...rule, condition: { ...rule.condition, requestDomains: [...new Set(hosts)].sort() } };
  });
  return [...grouped, ...single].map((rule, index) => ({ id: index + 1, ...rule }));
}

/** The first rule of each list only carries metadata for another program. */
const isPlaceholder = ({ urlFilter }: Rule['condition']) => urlFilter === 'dummy.rule.adguard.com';

/** Tracking pixels in mails: half of the tracking list, useful in webmail only. */
const isMailBeacon = ({ action, condition }: Omit<Rule, 'id'>) =>
  action.type === 'block' &&
  condition.resourceTypes?.join() === 'image' &&
  Object.keys(condition).length === 2 &&
  HOST_ANYWHERE.test(condition.urlFilter ?? '');

function ownRedirect(action: Rule['action'], redirects: ReadonlySet<string>): Rule['action'] {
  const path = action.redirect?.extensionPath;
  if (path === undefined) return action;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return redirects.has(name)
    ? { type: 'redirect', redirect: { extensionPath: `/redirects/${name}` } }
    : { type: 'block' };
}
