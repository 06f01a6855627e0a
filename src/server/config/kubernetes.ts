import { getServers } from 'node:dns';
import { existsSync, readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { podImages } from '../model/index.js';
import type { Region } from '../../protocol/generated/schemas.js';
import { choice, ConfigError, flag, list, number, text, type Environment } from './environment.js';
import { type ContainerLimits, name } from './settings.js';

/** A cluster, and where in it a region's sessions run. */
export interface KubernetesAddress {
  transport: 'kubernetes';
  /** Context of the kubeconfig; null: the cluster that the service runs in, or the kubeconfig's current context. */
  context: string | null;
  /** Labels that nodes must have; none: any node. */
  nodes: Readonly<Record<string, string>>;
  text: string;
}

/** A toleration of a Pod, as Kubernetes' API has it. */
export interface Toleration {
  key?: string;
  operator?: 'Exists' | 'Equal';
  value?: string;
  effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  tolerationSeconds?: number;
}

/** The system call filter of Pods; `path`: below the kubelet's folder of profiles. */
export type SeccompProfile = { type: 'RuntimeDefault' | 'Unconfined' } | { type: 'Localhost'; path: string };

/** Settings that all Pods share. */
export interface KubernetesConfig {
  namespace: string;
  /** The images of sessions, with version or digest, by their names without the prefix. */
  images: Readonly<Record<string, string>>;
  pullSecrets: readonly string[];
  seccomp: SeccompProfile;
  /** Whether users in Pods are users of the node too; otherwise Pods have a user namespace. */
  hostUsers: boolean;
  tolerations: readonly Toleration[];
  annotations: Readonly<Record<string, string>>;
  /** Resource requests of a Pod; its limits are those of all engines. */
  requests: Readonly<Pick<ContainerLimits, 'cpus' | 'memoryMb'>>;
  /** Means by which Pods are kept from private addresses, if they are. */
  egress: 'policy' | 'filter';
  /** Addresses of name servers that `policy` allows besides the cluster's usual ones. */
  nameServers: readonly string[];
  /** Namespace of the service itself; null: it runs outside of a cluster. */
  ownNamespace: string | null;
  /** Whether agents are reached at their Pods' addresses, or through the API server. */
  reach: 'pod' | 'port-forward';
  /** Settings of Android sessions with emulators. */
  android: Readonly<{
    /** The nodes' resource that gives a Pod /dev/kvm; null: there is none, so that no emulator starts. */
    resource: string | null;
    /** Labels that nodes must have besides those of the region. */
    nodes: Readonly<Record<string, string>>;
  }>;
  /** Seconds that a Pod has to end after it was asked to. */
  graceS: number;
}

/** File in Pods with the name of their namespace. */
const OWN_NAMESPACE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const LABEL_KEY = /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;
/** An image with a version or a digest behind it. */
const IMAGE =
  /^[a-z0-9](?:[a-zA-Z0-9._/:-]*[a-z0-9])?(:(?!latest$)[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}|@sha256:[0-9a-f]{64})$/;

const NODES_FORM = 'BERTH_KUBERNETES_NODES must be like EU=pool=berth,EU=zone=b, a label of nodes for each entry';

/**
 * The cluster behind an entry of BERTH_REGIONS; null: it is none.
 * @throws ConfigError
 */
export function kubernetesAddress(env: Environment, region: Region, value: string): KubernetesAddress | null {
  const context = /^kubernetes:([^\s,]{0,253})$/.exec(value)?.[1];
  if (context === undefined) return null;
  const nodes: Record<string, string> = {};
  for (const entry of list(env, 'BERTH_KUBERNETES_NODES') ?? []) {
    const [of, key = '', wanted, ...rest] = entry.split('=');
    if (wanted === undefined || rest.length > 0 || !LABEL_KEY.test(key) || !LABEL_VALUE.test(wanted))
      throw new ConfigError(`${NODES_FORM}, but holds "${entry}".`);
    if (of === region) nodes[key] = wanted;
  }
  const selected = Object.entries(nodes).map(([key, wanted]) => ` ${key}=${wanted}`);
  return Object.freeze({
    transport: 'kubernetes',
    context: context === '' ? null : context,
    nodes: Object.freeze(nodes),
    text: value + selected.join(''),
  });
}

/**
 * Settings of Kubernetes clusters.
 * @throws ConfigError
 */
export function kubernetes(env: Environment, instance: string): Readonly<KubernetesConfig> {
  const ownNamespace = existsSync(OWN_NAMESPACE) ? readFileSync(OWN_NAMESPACE, 'utf8').trim() : null;
  const inside = ownNamespace !== null;
  const unfit = ['BERTH_GPU', 'BERTH_PS1_BIOS_DIR'].find(key => (text(env, key) ?? 'off') !== 'off');
  if (unfit !== undefined)
    throw new ConfigError(`${unfit} must not be set where BERTH_REGIONS names a cluster, whose nodes it cannot name.`);
  if (!DNS_LABEL.test(instance))
    throw new ConfigError(`BERTH_INSTANCE must not end with a dash on Kubernetes, but is "${instance}".`);
  return Object.freeze({
    namespace: name(
      env,
      'BERTH_KUBERNETES_NAMESPACE',
      ownNamespace ?? 'berth-sessions',
      DNS_LABEL,
      'the name of a namespace',
    ),
    android: Object.freeze(android(env)),
    images: Object.freeze(images(env)),
    pullSecrets: Object.freeze(pullSecrets(env)),
    seccomp: Object.freeze(seccomp(env)),
    hostUsers: flag(env, 'BERTH_KUBERNETES_HOST_USERS', true),
    tolerations: Object.freeze(tolerations(env)),
    annotations: Object.freeze(annotations(env)),
    requests: Object.freeze({
      cpus: number(env, 'BERTH_KUBERNETES_REQUEST_CPUS', 0.25, { min: 0.01, max: 1024, fraction: true }),
      memoryMb: number(env, 'BERTH_KUBERNETES_REQUEST_MEMORY_MB', 512, { min: 16, max: 1_048_576 }),
    }),
    egress: choice(env, 'BERTH_KUBERNETES_EGRESS', 'policy', ['policy', 'filter']),
    nameServers: Object.freeze(nameServers(env, inside)),
    ownNamespace,
    reach: choice(env, 'BERTH_KUBERNETES_REACH', inside ? 'pod' : 'port-forward', ['pod', 'port-forward']),
    graceS: number(env, 'BERTH_KUBERNETES_GRACE', 60, { min: 5, max: 3600 }),
  });
}

const RESOURCE = /^(?=.{1,317}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** The image with an emulator, which only clusters with nodes for it need. */
const EMULATOR_IMAGE = 'android';

function android(env: Environment): KubernetesConfig['android'] {
  const resource = text(env, 'BERTH_KUBERNETES_KVM_RESOURCE') ?? null;
  if (resource !== null && !RESOURCE.test(resource))
    throw new ConfigError(
      `BERTH_KUBERNETES_KVM_RESOURCE must be the name of a device plugin's resource like devices.kubevirt.io/kvm, but is "${resource}".`,
    );
  const nodes: Record<string, string> = {};
  for (const entry of list(env, 'BERTH_KUBERNETES_ANDROID_NODES') ?? []) {
    const [key = '', wanted, ...rest] = entry.split('=');
    if (wanted === undefined || rest.length > 0 || !LABEL_KEY.test(key) || !LABEL_VALUE.test(wanted))
      throw new ConfigError(
        `BERTH_KUBERNETES_ANDROID_NODES must be like pool=android,zone=b, a label of nodes for each entry, but holds "${entry}".`,
      );
    nodes[key] = wanted;
  }
  if (resource === null && Object.keys(nodes).length > 0)
    throw new ConfigError('BERTH_KUBERNETES_ANDROID_NODES needs BERTH_KUBERNETES_KVM_RESOURCE.');
  return { resource, nodes: Object.freeze(nodes) };
}

function images(env: Environment): Record<string, string> {
  const needsEmulator = text(env, 'BERTH_KUBERNETES_KVM_RESOURCE') !== undefined;
  const names = needsEmulator ? [...podImages, EMULATOR_IMAGE] : podImages;
  const found: Record<string, string> = {};
  for (const entry of list(env, 'BERTH_KUBERNETES_IMAGES') ?? []) {
    const [, image = '', reference = ''] = /^([a-z]+)=(.*)$/.exec(entry) ?? [];
    if (!names.some(each => each === image) || image in found || !IMAGE.test(reference)) {
      throw new ConfigError(
        `BERTH_KUBERNETES_IMAGES must be like chromium=registry.example/berth/chromium:0.1.0-2c4f62a409aa, with a version ` +
          `other than latest or a digest, for each of ${names.join(' and ')} once, but holds "${entry}".`,
      );
    }
    found[image] = reference;
  }
  const missing = names.find(image => !(image in found));
  if (missing !== undefined)
    throw new ConfigError(`BERTH_KUBERNETES_IMAGES must name the image of ${missing}, with its version or digest.`);
  return found;
}

function pullSecrets(env: Environment): string[] {
  const names = list(env, 'BERTH_KUBERNETES_PULL_SECRETS') ?? [];
  const wrong = names.find(each => !/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(each));
  if (wrong === undefined) return names;
  throw new ConfigError(`BERTH_KUBERNETES_PULL_SECRETS must hold names of secrets, but holds "${wrong}".`);
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const isReachable = (address: string) => !LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The configured ones and, in a cluster, where Pods usually use the same ones, this machine's. */
function nameServers(env: Environment, inside: boolean): string[] {
  const named = list(env, 'BERTH_KUBERNETES_NAME_SERVERS') ?? [];
  const wrong = named.find(each => isIP(each) === 0);
  if (wrong !== undefined)
    throw new ConfigError(
      `BERTH_KUBERNETES_NAME_SERVERS must hold IP addresses like 169.254.10.11, but holds "${wrong}".`,
    );
  const own = inside ? getServers().filter(each => isIP(each) !== 0) : [];
  return [...new Set([...named, ...own.filter(isReachable)])];
}

function seccomp(env: Environment): SeccompProfile {
  const value = text(env, 'BERTH_KUBERNETES_SECCOMP') ?? 'Localhost/berth/session.json';
  if (value === 'RuntimeDefault' || value === 'Unconfined') return { type: value };
  const path = /^Localhost\/([A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*)$/.exec(value)?.[1];
  if (path !== undefined && !path.split('/').includes('..')) return { type: 'Localhost', path };
  throw new ConfigError(
    `BERTH_KUBERNETES_SECCOMP must be RuntimeDefault, Unconfined, or like Localhost/berth/session.json, but is "${value}".`,
  );
}

function json(env: Environment, key: string, what: string): unknown {
  const value = text(env, key);
  if (value === undefined) return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new ConfigError(`${key} must be ${what}, but is no JSON.`);
  }
}

const OPERATORS = [undefined, 'Exists', 'Equal'];
const EFFECTS = [undefined, 'NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function tolerations(env: Environment): Toleration[] {
  const what = 'a JSON array of tolerations like [{"key":"berth","operator":"Exists","effect":"NoSchedule"}]';
  const value = json(env, 'BERTH_KUBERNETES_TOLERATIONS', what) ?? [];
  if (Array.isArray(value) && value.every(isToleration)) return value;
  throw new ConfigError(`BERTH_KUBERNETES_TOLERATIONS must be ${what}.`);
}

function isToleration(value: unknown): value is Toleration {
  if (typeof value !== 'object' || value === null) return false;
  const { key, operator, value: wanted, effect, tolerationSeconds, ...rest } = value as Record<string, unknown>;
  return (
    Object.keys(rest).length === 0 &&
    (key === undefined ? operator === 'Exists' : typeof key === 'string' && LABEL_KEY.test(key)) &&
    (wanted === undefined || (typeof wanted === 'string' && LABEL_VALUE.test(wanted) && operator !== 'Exists')) &&
    OPERATORS.includes(operator as string) &&
    EFFECTS.includes(effect as string) &&
    (tolerationSeconds === undefined || (effect === 'NoExecute' && Number.isSafeInteger(tolerationSeconds)))
  );
}

function annotations(env: Environment): Record<string, string> {
  const what = 'a JSON object of texts like {"example.com/team":"web"}';
  const value = json(env, 'BERTH_KUBERNETES_ANNOTATIONS', what) ?? {};
  const fits =
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.entries(value).every(([key, each]) => LABEL_KEY.test(key) && typeof each === 'string');
  if (fits) return value as Record<string, string>;
  throw new ConfigError(`BERTH_KUBERNETES_ANNOTATIONS must be ${what}.`);
}
