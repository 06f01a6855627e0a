/** Kinds of the chart that belong to no namespace. */
const OF_THE_CLUSTER = /^kind: Namespace$/m;
const METADATA = /^metadata:\n/m;

/**
 * Puts those of rendered manifests that name no namespace into this one. With the option `--namespace`, kubectl refuses
 * the others.
 */
export const namespaced = (rendered: string, namespace: string): string =>
  rendered
    .split(/^(?=---\n)/m)
    .map(each =>
      OF_THE_CLUSTER.test(each) || /^ {2}namespace:/m.test(each)
        ? each
        : each.replace(METADATA, `metadata:\n  namespace: ${namespace}\n`),
    )
    .join('');
