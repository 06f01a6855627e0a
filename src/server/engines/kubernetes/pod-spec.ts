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

/** What all Pods of a region have in common. */
export interface PodSettings {
  names: Names;
  kubernetes: KubernetesConfig;
  nodes: KubernetesAddress['nodes'];
  limits: ContainerLimits;
  roms: Pick<RomConfig, 'maxBytes'>;
  android: Pick<AndroidConfig, 'emulator'>;
  /** Localhost profile of AppArmor; null: the runtime's own. */
  apparmor: string | null;
  /** Name of a RuntimeClass; null: the cluster's default. */
  runtime: string | null;
  /** Shell script that closes the Pod's network before anything else runs in it; null: it stays open, or policies do. */
  filter: string | null;
  /** Address, `host:port`, that must be closed to sessions, which try it once; null: none. */
  canary: string | null;
}

/** Name of the container that runs the agent. */
export const SESSION = 'session';

const USER = 1000;

/**
 * How long Pods stay on a node that does not answer, seconds: the control plane waits for 40 s before it says so, and
 * nobody can use a session in the meantime.
 */
const LOST_NODE_S = 0;

/** Seconds of the grace that are left to the container's own end. */
const END_S = 2;

/**
 * Annotations by which whatever keeps a cluster tidy leaves running sessions alone, which cannot be moved. A Pod of the
 * warm pool has none of them: another can take its place.
 */
export const stay = {
  'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
  'karpenter.sh/do-not-disrupt': 'true',
} as const;

/** The Pod of a session, as Kubernetes' API wants it. */
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
        ...(request.warmedBy === undefined ? stay : { [Annotation.warmedBy]: request.warmedBy }),
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
            ...Object.entries(agentEnvironment(request)).map(([name, value]) => ({ name, value })),
            ...(settings.canary === null ? [] : [{ name: 'BERTH_CANARY', value: settings.canary }]),
          ],
          ports: [{ name: 'agent', containerPort: AGENT_PORT, protocol: 'TCP' }],
          // Whoever ends the Pod gives the service this time to save the profile, as long as the agent lives.
          lifecycle: { preStop: { exec: { command: ['sleep', String(kubernetes.graceS - END_S)] } } },
          resources: {
            requests: {
              cpu: cores(Math.min(kubernetes.requests.cpus, cpus)),
              memory: `${Math.min(kubernetes.requests.memoryMb, memoryMb)}Mi`,
            },
            limits: { cpu: cores(cpus), memory: `${memoryMb}Mi`, ...kvm },
          },
          securityContext: closed(settings),
          volumeMounts: mounts,
        },
      ],
    },
  };
}

/** Where emulators run, and the group that may use the device for virtual machines, if it is another than all others. */
function emulatorPlace(settings: PodSettings) {
  const { kubernetes, nodes, android } = settings;
  const { kvmGroup } = android.emulator;
  const nodeSelector = { ...nodes, ...kubernetes.android.nodes };
  return {
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    ...(kvmGroup === null ? {} : { securityContext: podSecurity(settings, [kvmGroup]) }),
  };
}

/** What Pods of all roles have in common: where they run, and that they get no rights and no credentials. */
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

/** No rights at all, and nothing to write to but the volumes. */
export function closed({ apparmor }: Pick<PodSettings, 'apparmor'>): V1SecurityContext {
  return {
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
    ...(apparmor === null ? {} : { appArmorProfile: { type: 'Localhost', localhostProfile: apparmor } }),
  };
}

/** A container for what the service tries in a cluster, of an image that is there anyway. */
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

/** How clusters before 1.30 are told of AppArmor's profile. */
const apparmorAnnotations = ({ apparmor }: PodSettings): Record<string, string> =>
  apparmor === null ? {} : { [`container.apparmor.security.beta.kubernetes.io/${SESSION}`]: `localhost/${apparmor}` };

/** The one container with a right: to set the packet filter of the Pod's own network. It ends before the agent starts. */
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
      // The session's filter of system calls has no packet filters in it.
      seccompProfile: { type: 'RuntimeDefault' },
      capabilities: { drop: ['ALL'], add: ['NET_ADMIN', 'NET_RAW'] },
    },
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '1', memory: '64Mi' } },
    volumeMounts: [{ name: 'run', mountPath: '/run' }],
  };
}

/** As thousandths, which Kubernetes counts processors in. */
const cores = (cpus: number) => `${Math.round(cpus * 1000)}m`;
