import type { V1Container, V1Pod, V1PodSecurityContext, V1SecurityContext } from '@kubernetes/client-node';
import { LINK_VERSION } from '../../../protocol/link-proof.js';
import { AGENT_PORT } from '../../../protocol/message-type.js';
import type {
  AndroidConfig,
  ContainerLimits,
  KubernetesAddress,
  KubernetesConfig,
  RomConfig,
} from '../../config/index.js';
import { kindOf } from '../../model/index.js';
import { agentEnvironment, gameSpaceMb, hasEmulator } from '../container.js';
import type { ContainerRequest } from '../engine.js';
import { Label } from '../labels.js';
import { Annotation, type Names, type Role } from './names.js';
import { volumes } from './volumes.js';

/** Settings that all Pods of a region share. */
export interface PodSettings {
  names: Names;
  kubernetes: KubernetesConfig;
  nodes: KubernetesAddress['nodes'];
  limits: ContainerLimits;
  roms: Pick<RomConfig, 'maxBytes'>;
  android: Pick<AndroidConfig, 'emulator'>;
  /** Certificates of authorities that sessions trust besides the usual ones, as PEM. */
  caCertificates: readonly string[];
  /** Localhost profile of AppArmor; null: the runtime's own. */
  apparmor: string | null;
  /** Name of a RuntimeClass; null: the cluster's default. */
  runtime: string | null;
  /**
   * Shell script that restricts the Pod's network before anything else runs in it; null: a network policy does, or
   * nothing.
   */
  filter: string | null;
  /** Address, `host:port`, that sessions must not reach, which each tries once; null: none. */
  canary: string | null;
}

/** Name of the container that runs the agent. */
export const SESSION = 'session';

const USER = 1000;

/**
 * How long Pods stay on a node that does not respond, seconds. The control plane notices that only after 40 s, during
 * which the session could not be used either.
 */
const LOST_NODE_S = 0;

/** Part of the grace period that is left for the container itself to end, seconds. */
const END_S = 2;

/**
 * Annotations that keep autoscalers from evicting running sessions, which cannot be moved. Pods of the warm pool do not
 * have them, since they can be replaced.
 */
export const doNotEvict = {
  'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
  'karpenter.sh/do-not-disrupt': 'true',
} as const;

/** The Pod of a session, for Kubernetes' API. */
export function podSpec(request: ContainerRequest, settings: PodSettings): V1Pod {
  const { kubernetes, limits, names } = settings;
  const kind = kindOf(request.kind);
  const emulator = hasEmulator(request) ? settings.android.emulator : null;
  const gameMb = gameSpaceMb(kind, settings.roms);
  const { cpus, memoryMb: ownMb } = emulator ?? limits;
  const memoryMb = ownMb + gameMb;
  const { volumes: places, mounts } = volumes(limits, gameMb, emulator);
  const kvm = emulator === null || kubernetes.android.resource === null ? {} : { [kubernetes.android.resource]: '1' };
  const image = kubernetes.images[kind.image] ?? '';
  const pod = basePod(names.pod(request.sessionId), 'session', settings);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        [Label.session]: request.sessionId,
        [Label.kind]: request.kind,
        [Label.link]: String(LINK_VERSION),
      },
      annotations: {
        ...pod.metadata.annotations,
        ...(request.warmedBy === undefined ? doNotEvict : { [Annotation.warmedBy]: request.warmedBy }),
      },
    },
    spec: {
      ...pod.spec,
      ...(emulator === null ? {} : emulatorPlace(settings)),
      terminationGracePeriodSeconds: kubernetes.graceS,
      volumes: places,
      ...(settings.filter === null ? {} : { initContainers: [filterContainer(image, settings.filter)] }),
      containers: [
        {
          name: SESSION,
          image,
          imagePullPolicy: 'IfNotPresent',
          workingDir: '/',
          env: [
            ...Object.entries(agentEnvironment(request, settings.caCertificates)).map(([name, value]) => ({
              name,
              value,
            })),
            ...(settings.canary === null ? [] : [{ name: 'BERTH_CANARY', value: settings.canary }]),
          ],
          ports: [{ name: 'agent', containerPort: AGENT_PORT, protocol: 'TCP' }],
          // Keeps the agent running during the grace period, so that the service can save the profile.
          lifecycle: { preStop: { exec: { command: ['sleep', String(kubernetes.graceS - END_S)] } } },
          resources: {
            requests: {
              cpu: cores(Math.min(kubernetes.requests.cpus, cpus)),
              memory: `${Math.min(kubernetes.requests.memoryMb, memoryMb)}Mi`,
            },
            limits: { cpu: cores(cpus), memory: `${memoryMb}Mi`, ...kvm },
          },
          securityContext: restricted(settings),
          volumeMounts: mounts,
        },
      ],
    },
  };
}

/** The nodes for emulators, and the group that may use /dev/kvm, if it is not open to everybody. */
function emulatorPlace(settings: PodSettings) {
  const { kubernetes, nodes, android } = settings;
  const { kvmGroup } = android.emulator;
  const nodeSelector = { ...nodes, ...kubernetes.android.nodes };
  return {
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    ...(kvmGroup === null ? {} : { securityContext: podSecurity(settings, [kvmGroup]) }),
  };
}

/** The common part of Pods of all roles: which nodes they run on, and that they have no privileges or credentials. */
export function basePod(name: string, role: Role, settings: PodSettings) {
  const { kubernetes, names, nodes, runtime } = settings;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: kubernetes.namespace,
      labels: { ...names.labels, [Label.role]: role },
      annotations: { ...kubernetes.annotations, ...apparmorAnnotations(settings), ...names.annotations },
    },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      hostname: 'berth',
      ...(kubernetes.hostUsers ? {} : { hostUsers: false }),
      ...(runtime === null ? {} : { runtimeClassName: runtime }),
      ...(Object.keys(nodes).length === 0 ? {} : { nodeSelector: { ...nodes } }),
      ...(kubernetes.pullSecrets.length === 0
        ? {}
        : { imagePullSecrets: kubernetes.pullSecrets.map(name => ({ name })) }),
      tolerations: [
        ...kubernetes.tolerations,
        ...['not-ready', 'unreachable'].map(condition => ({
          key: `node.kubernetes.io/${condition}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: LOST_NODE_S,
        })),
      ],
      securityContext: podSecurity(settings),
    },
  };
}

function podSecurity({ kubernetes: { seccomp } }: PodSettings, groups: number[] = []): V1PodSecurityContext {
  return {
    runAsNonRoot: true,
    runAsUser: USER,
    runAsGroup: USER,
    ...(groups.length === 0 ? {} : { supplementalGroups: groups }),
    seccompProfile:
      seccomp.type === 'Localhost' ? { type: seccomp.type, localhostProfile: seccomp.path } : { type: seccomp.type },
  };
}

/** The security context of containers: no capabilities, and nothing writable but the volumes. */
export function restricted({ apparmor }: Pick<PodSettings, 'apparmor'>): V1SecurityContext {
  return {
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
    ...(apparmor === null ? {} : { appArmorProfile: { type: 'Localhost', localhostProfile: apparmor } }),
  };
}

/** A container for the canary and for probes, from an image that the nodes need anyway. */
export function helperContainer({ kubernetes }: Pick<PodSettings, 'kubernetes'>, command: string[]) {
  return {
    name: SESSION,
    image: kubernetes.images['chromium'] ?? '',
    imagePullPolicy: 'IfNotPresent',
    workingDir: '/',
    command,
    resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '1', memory: '128Mi' } },
  };
}

/** The AppArmor profile for clusters before 1.30. */
const apparmorAnnotations = ({ apparmor }: PodSettings): Record<string, string> =>
  apparmor === null ? {} : { [`container.apparmor.security.beta.kubernetes.io/${SESSION}`]: `localhost/${apparmor}` };

/** The only container with capabilities: those to set the Pod's packet filter. It ends before the agent starts. */
export function filterContainer(image: string, script: string): V1Container {
  return {
    name: 'filter',
    image,
    imagePullPolicy: 'IfNotPresent',
    workingDir: '/',
    command: ['/bin/sh', '-c', script],
    securityContext: {
      runAsUser: 0,
      runAsGroup: 0,
      runAsNonRoot: false,
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      // The sessions' own seccomp profile does not allow changes of packet filters.
      seccompProfile: { type: 'RuntimeDefault' },
      capabilities: { drop: ['ALL'], add: ['NET_ADMIN', 'NET_RAW'] },
    },
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '1', memory: '64Mi' } },
    volumeMounts: [{ name: 'run', mountPath: '/run' }],
  };
}

/** Processors in Kubernetes' unit, thousandths. */
const cores = (cpus: number) => `${Math.round(cpus * 1000)}m`;
