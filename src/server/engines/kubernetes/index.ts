import type { V1Pod } from '@kubernetes/client-node';
import type {
  AndroidConfig,
  ContainerLimits,
  EgressConfig,
  KubernetesAddress,
  KubernetesConfig,
  RomConfig,
} from '../../config/index.js';
import { kindOf } from '../../model/index.js';
import { unlessAborted } from '../../lib/deadline.js';
import {
  EngineError,
  type ContainerRequest,
  type Endpoint,
  type Engine,
  type EngineEvents,
  type FoundContainer,
  type ImageInfo,
  type EngineAddresses,
} from '../engine.js';
import { hasEmulator } from '../container.js';
import { IsolationKeeper, removeOurs } from '../isolation-keeper.js';
import type { Cluster } from './cluster.js';
import { engineError } from './client.js';
import { Exits } from './exits.js';
import { filterScript } from './filter.js';
import { Isolation } from './isolation.js';
import { Annotation } from './names.js';
import { doNotEvict, podSpec, type PodSettings } from './pod-spec.js';
import { delayOf } from './pod-state.js';
import { podEndpoint } from './pod-endpoint.js';

export interface KubernetesEngineOptions {
  cluster: Cluster;
  address: KubernetesAddress;
  kubernetes: KubernetesConfig;
  limits: ContainerLimits;
  roms: Pick<RomConfig, 'maxBytes'>;
  android: Pick<AndroidConfig, 'emulator'>;
  /** Certificates of authorities that sessions trust besides the usual ones, as PEM. */
  caCertificates: readonly string[];
  egress: EgressConfig;
  /** AppArmor profile of Pods; null: the runtime's own. */
  apparmor: string | null;
  /** RuntimeClass of Pods; null: the cluster's default. */
  runtime: string | null;
}

const PREPARE_TIMEOUT_MS = 120_000;

/**
 * How often `leaving` is repeated for Pods being terminated: a service may have learned of their sessions only since.
 */
const REPEAT_INTERVAL_MS = 5000;
const PING_TIMEOUT_MS = 3000;

export { Cluster } from './cluster.js';
export { namesOf } from './names.js';

const isUnavailable = (error: unknown) => error instanceof EngineError && error.failure === 'unavailable';

/** Runs sessions in Pods of one cluster, on the nodes of one region. */
export class KubernetesEngine implements Engine {
  readonly #cluster: Cluster;
  readonly #settings: PodSettings;
  readonly #isolation: Isolation;
  readonly #keeper: IsolationKeeper<void>;

  constructor(options: KubernetesEngineOptions) {
    const { address, cluster, egress, kubernetes, limits } = options;
    this.#cluster = cluster;
    const isFiltered = egress.mode === 'private' && kubernetes.egress === 'filter';
    this.#settings = {
      ...options,
      names: cluster.names,
      nodes: address.nodes,
      filter: isFiltered ? filterScript({ ...limits, allow: egress.allow }) : null,
      canary: null,
    };
    this.#isolation = new Isolation(cluster, this.#settings, egress);
    this.#keeper = new IsolationKeeper({
      make: () => this.#isolation.make(),
      // Anybody with rights on network policies may remove or change ours.
      repair: () => this.#isolation.repair(),
      failure: error => engineError(error) as Error,
      // While the API server cannot be reached, nobody can change anything.
      exposes: failure => !isUnavailable(failure),
      timeoutMs: PREPARE_TIMEOUT_MS,
    });
  }

  /** Isolates sessions' networks and verifies that, once; again after a failure. @throws EngineError */
  prepare(): Promise<void> {
    return this.#keeper.made();
  }

  async start(request: ContainerRequest, signal: AbortSignal): Promise<Endpoint> {
    checkAndroid(request, this.#settings.kubernetes);
    const cluster = this.#cluster;
    const name = cluster.names.pod(request.sessionId);
    let last: V1Pod | undefined;
    const waiting = podEndpoint({ cluster, name, seen: pod => (last = pod) });
    try {
      await unlessAborted(this.prepare(), signal);
      await cluster.create(podSpec(request, { ...this.#settings, canary: this.#isolation.canary }), signal);
      return await unlessAborted(waiting.endpoint, signal);
    } catch (error) {
      const delay = last === undefined ? null : delayOf(last);
      // A start that timed out reports the reason for the delay, if there is one.
      const isLate = signal.aborted && (signal.reason as Error).name === 'TimeoutError';
      const failure = isLate && delay !== null ? delay : engineError(error, signal);
      const removed = cluster.remove(name).catch(() => {});
      // If the API server is unreachable, waiting for the removal would only delay the answer.
      if (!isUnavailable(failure)) await removed;
      throw failure;
    } finally {
      waiting.stop();
    }
  }

  async stop(sessionId: string): Promise<void> {
    await this.#translated(() => this.#cluster.remove(this.#cluster.names.pod(sessionId)));
  }

  async assigned(sessionId: string): Promise<void> {
    await this.#translated(() =>
      this.#cluster.annotate(this.#cluster.names.pod(sessionId), { ...doNotEvict, [Annotation.warmedBy]: null }),
    );
  }

  async list(): Promise<FoundContainer[]> {
    return this.#translated(async () => {
      const known = this.#cluster.pods.pods;
      const pods = known?.values() ?? (await this.#cluster.pods.list(new AbortController().signal)).pods;
      const found = await Promise.all([...pods].map(pod => this.#cluster.containerOf(pod)));
      return found.filter(each => each !== null);
    });
  }

  async find(sessionId: string): Promise<FoundContainer | null> {
    return this.#translated(async () => {
      const pod = await this.#cluster.read(this.#cluster.names.pod(sessionId));
      return pod === null ? null : this.#cluster.containerOf(pod);
    });
  }

  watch(events: EngineEvents): { stop(): void } {
    const exits = new Exits(this.#cluster, events);
    const stop = this.#cluster.pods.listen(exits);
    const keeping = this.#keeper.watch(events);
    const repeating = setInterval(() => exits.repeatLeaving(), REPEAT_INTERVAL_MS);
    return {
      stop: () => {
        keeping.stop();
        clearInterval(repeating);
        stop();
      },
    };
  }

  /** The API does not report when the packages in a node's images were fetched. */
  async images(): Promise<ImageInfo[]> {
    return [];
  }

  async ping(): Promise<void> {
    await this.#translated(async () => {
      const signal = AbortSignal.timeout(PING_TIMEOUT_MS);
      await this.#cluster.api.call('GET', this.#cluster.path('pods'), { signal, query: { limit: '1' } });
      await this.#keeper.madeInTime();
    });
  }

  /** @throws EngineError while Pods are not watched; the caller then goes on with the previous answer */
  async addresses(): Promise<EngineAddresses> {
    const { pods } = this.#cluster.pods;
    if (pods === null) throw new EngineError('unavailable', 'The Pods of the cluster are not watched.');
    const addresses = [...pods.values()].flatMap(({ status }) => status?.podIP ?? []);
    return {
      networks: addresses.map(address => `${address}/${address.includes(':') ? 128 : 32}`),
      hosts: await this.#cluster.hosts(),
    };
  }

  async teardown(isOurs: (container: FoundContainer) => boolean): Promise<FoundContainer[]> {
    return this.#translated(async () => {
      const others = await removeOurs(this, isOurs);
      if (others.length === 0) await this.#isolation.remove();
      return others;
    });
  }

  /** Runs a call and turns its errors into EngineErrors. */
  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw engineError(error);
    }
  }
}

/** @throws EngineError if the cluster cannot provide a device for an Android session */
function checkAndroid(request: ContainerRequest, { android }: KubernetesConfig): void {
  if (!kindOf(request.kind).device || (hasEmulator(request) && android.resource !== null)) return;
  throw new EngineError(
    'unfit',
    hasEmulator(request)
      ? 'Android sessions run on Kubernetes only with BERTH_KUBERNETES_KVM_RESOURCE, which gives their Pods /dev/kvm; choose another region.'
      : 'Devices of a pool cannot be used on Kubernetes; choose another region.',
  );
}
