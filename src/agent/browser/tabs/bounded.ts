/** Maximum lengths of a tab's strings, in characters (schemas/link.json). */
const TITLE_MAX = 1024;
const ADDRESS_MAX = 8192;

const CUT: ReadonlyMap<string, number> = new Map([
  ['title', TITLE_MAX],
  ['url', ADDRESS_MAX],
  ['pendingUrl', ADDRESS_MAX],
]);

/**
 * Chrome's data about tabs, with titles and addresses truncated if they are too long for the link, and oversized icons
 * left out: pages choose all three.
 */
export function bounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
    if (typeof field !== 'string') return [[key, bounded(field)]];
    if (key === 'favIconUrl' && field.length > ADDRESS_MAX) return [];
    return [[key, field.slice(0, CUT.get(key))]];
  });
  return Object.fromEntries(fields);
}
