/** A rule of Chromium's declarativeNetRequest, as far as it is looked at here. */
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
 * The rules of a filter list in the few kilobytes that a browser can index before its first page: rules that
 * differ by their host only become one. `redirects` are the files that requests may be answered with;
 * a redirect to another one blocks.
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

/** The first rule of each list only carries notes for another program. */
const isPlaceholder = ({ urlFilter }: Rule['condition']) => urlFilter === 'dummy.rule.adguard.com';

/** Images that tell a sender that a mail was read: half of the list against trackers, of use in webmail only. */
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
