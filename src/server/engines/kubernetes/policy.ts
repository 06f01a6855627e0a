import { isIPv6 } from 'node:net';
import { AGENT_PORT } from '../../../protocol/message-type.js';
import type { KubernetesConfig } from '../../config/index.js';
import { Label } from '../labels.js';
import { CLOSED } from '../packet-filter/rules.js';
import type { Names } from './names.js';

/** Conventional address of NodeLocal DNSCache, the name server on each node. */
const NODE_LOCAL_DNS = '169.254.20.10/32';

/** The chart's label of the service's own Pods. */
const SERVICE = { 'app.kubernetes.io/name': 'berth' };

/** The label that holds a namespace's name, since Kubernetes 1.21. */
const NAMESPACE = 'kubernetes.io/metadata.name';

/** OpenShift's name servers, whose Pods listen on another port than their Service. */
const OPENSHIFT_DNS = {
  namespaceSelector: { matchLabels: { [NAMESPACE]: 'openshift-dns' } },
  podSelector: { matchLabels: { 'dns.operator.openshift.io/daemonset-dns': 'default' } },
};

const dnsPorts = (port: number) => ['UDP', 'TCP'].map(protocol => ({ protocol, port }));

/** A network policy as the API represents it; the client library's type names some fields differently. */
export interface NetworkPolicy {
  apiVersion: 'networking.k8s.io/v1';
  kind: 'NetworkPolicy';
  metadata: { name: string; namespace: string; labels: Record<string, string>; resourceVersion?: string };
  spec: object;
}

export interface PolicyOptions {
  names: Names;
  kubernetes: Pick<KubernetesConfig, 'namespace' | 'nameServers' | 'ownNamespace' | 'reach'>;
  /** Private ranges that sessions may reach all the same. */
  allow: readonly string[];
}

/**
 * The network policy of sessions' Pods: they may reach the public internet by IPv4, the ranges in `allow` and name
 * servers, and only the service may reach them. Such a policy does not cover the Pod's own node or, with some network
 * plugins, the first moments of a Pod.
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
      // API servers drop empty lists, so the policy would differ from the one that they return.
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

/** The CIDR range of a single address. */
const single = (address: string) => `${address}/${isIPv6(address) ? 128 : 32}`;

/** Who may reach agents; null: nobody over the network, since forwarded ports are opened inside the Pod. */
function peerOf({ namespace, ownNamespace, reach }: PolicyOptions['kubernetes']): object | null {
  const podSelector = { matchLabels: SERVICE };
  if (ownNamespace === namespace) return { podSelector };
  if (ownNamespace !== null) return { namespaceSelector: { matchLabels: { [NAMESPACE]: ownNamespace } }, podSelector };
  // A service that does not know its own namespace may be in any of them.
  return reach === 'pod' ? { namespaceSelector: {}, podSelector } : null;
}
