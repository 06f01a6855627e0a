import { AGENT_PORT } from '../../../protocol/message-type.js';
import { Label } from '../labels.js';
import { CLOSED } from '../packet-filter/rules.js';
import type { Names } from './names.js';

/** Where a name server of the node itself listens, by convention. */
const NODE_LOCAL_DNS = '169.254.20.10/32';

/** The label by which the chart marks the service's own Pods. */
const SERVICE = { 'app.kubernetes.io/name': 'berth' };

const DNS_PORTS = ['UDP', 'TCP'].map(protocol => ({ protocol, port: 53 }));

/** A policy as the API has it. The client's type has other names for some fields. */
export interface NetworkPolicy {
  apiVersion: 'networking.k8s.io/v1';
  kind: 'NetworkPolicy';
  metadata: { name: string; namespace: string; labels: Record<string, string>; resourceVersion?: string };
  spec: object;
}

/**
 * The policy of sessions' Pods: they reach the public internet by IPv4, the ranges in `allow` and name servers, and only
 * the service reaches them. What such a policy cannot close: the Pod's own node, and, for some network plugins, the
 * first moment of a Pod.
 */
export function networkPolicy(names: Names, namespace: string, allow: readonly string[]): NetworkPolicy {
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
      ingress: [
        {
          from: [{ namespaceSelector: {}, podSelector: { matchLabels: SERVICE } }],
          ports: [{ protocol: 'TCP', port: AGENT_PORT }],
        },
      ],
      egress: [
        { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: [...CLOSED] } }] },
        ...(allow.length === 0 ? [] : [{ to: allow.map(cidr => ({ ipBlock: { cidr } })) }]),
        {
          to: [
            { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
            { ipBlock: { cidr: NODE_LOCAL_DNS } },
          ],
          ports: DNS_PORTS,
        },
      ],
    },
  };
}
