import { isIPv6 } from 'node:net';
import { AGENT_PORT } from '../../../protocol/message-type.js';
import type { KubernetesConfig } from '../../config/index.js';
import { Label } from '../labels.js';
import { CLOSED } from '../packet-filter/rules.js';
import type { Names } from './names.js';

/** Where a name server of the node itself listens, by convention. */
const NODE_LOCAL_DNS = '169.254.20.10/32';

/** The label by which the chart marks the service's own Pods. */
const SERVICE = { 'app.kubernetes.io/name': 'berth' };

/** The label that namespaces have with their own name, since Kubernetes 1.21. */
const NAMESPACE = 'kubernetes.io/metadata.name';

/** OpenShift's name servers: behind their Service they listen at another port. */
const OPENSHIFT_DNS = {
  namespaceSelector: { matchLabels: { [NAMESPACE]: 'openshift-dns' } },
  podSelector: { matchLabels: { 'dns.operator.openshift.io/daemonset-dns': 'default' } },
};

const dnsPorts = (port: number) => ['UDP', 'TCP'].map(protocol => ({ protocol, port }));

/** A policy as the API has it. The client's type has other names for some fields. */
export interface NetworkPolicy {
  apiVersion: 'networking.k8s.io/v1';
  kind: 'NetworkPolicy';
  metadata: { name: string; namespace: string; labels: Record<string, string>; resourceVersion?: string };
  spec: object;
}

export interface PolicyOptions {
  names: Names;
  kubernetes: Pick<KubernetesConfig, 'namespace' | 'nameServers' | 'ownNamespace' | 'reach'>;
  /** Ranges that sessions may reach although they are private. */
  allow: readonly string[];
}

/**
 * The policy of sessions' Pods: they reach the public internet by IPv4, the ranges in `allow` and name servers, and only
 * the service reaches them. What such a policy cannot close: the Pod's own node, and, for some network plugins, the
 * first moment of a Pod.
 */
export function networkPolicy({ names, kubernetes, allow }: PolicyOptions): NetworkPolicy {
  const { namespace, nameServers } = kubernetes;
  const from = peerOf(kubernetes);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: names.policy, namespace, labels: { ...names.labels } },
    spec: {
      podSelector: {
        matchLabels: { [Label.instance]: names.instance },
        matchExpressions: [{ key: Label.role, operator: 'In', values: ['session', 'probe'] }],
      },
      policyTypes: ['Ingress', 'Egress'],
      // API servers leave out a list that is empty.
      ...(from === null ? {} : { ingress: [{ from: [from], ports: [{ protocol: 'TCP', port: AGENT_PORT }] }] }),
      egress: [
        { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: [...CLOSED] } }] },
        ...(allow.length === 0 ? [] : [{ to: allow.map(cidr => ({ ipBlock: { cidr } })) }]),
        {
          to: [
            { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
            ...[...new Set([NODE_LOCAL_DNS, ...nameServers.map(single)])].map(cidr => ({ ipBlock: { cidr } })),
          ],
          ports: dnsPorts(53),
        },
        { to: [OPENSHIFT_DNS], ports: dnsPorts(5353) },
      ],
    },
  };
}

/** The range of one address. */
const single = (address: string) => `${address}/${isIPv6(address) ? 128 : 32}`;

/** Who reaches agents; null: nobody by the network, since a forwarded port begins in the Pod itself. */
function peerOf({ namespace, ownNamespace, reach }: PolicyOptions['kubernetes']): object | null {
  const podSelector = { matchLabels: SERVICE };
  if (ownNamespace === namespace) return { podSelector };
  if (ownNamespace !== null) return { namespaceSelector: { matchLabels: { [NAMESPACE]: ownNamespace } }, podSelector };
  // A service that cannot tell its namespace may be in any.
  return reach === 'pod' ? { namespaceSelector: {}, podSelector } : null;
}
