import type { V1Pod } from '@kubernetes/client-node';
import { AGENT_PORT } from '../../../protocol/message-type.js';
import type { KubernetesConfig } from '../../config/index.js';
import { withDeadline } from '../../lib/deadline.js';
import type { Endpoint, FoundContainer } from '../engine.js';
import { Label } from '../labels.js';
import { ApiError, ApiServer, kubeConfig } from './client.js';
import { Forwards } from './forwards.js';
import { Annotation, type Names } from './names.js';
import { exitOf, millis, sessionOf } from './pod-state.js';
import { PodWatch } from './pod-watch.js';

const CALL_TIMEOUT_MS = 10_000;

/** Longer than the default timeout of admission webhooks, 10 s. */
const CREATE_TIMEOUT_MS = 15_000;

/** Grace period of Pods that are no longer needed, seconds. */
const STOP_S = 1;

/** The sessions' namespace in one cluster. All regions in it share the connections, the list and the watch of Pods. */
export class Cluster {
  readonly api: ApiServer;
  readonly pods: PodWatch;
  readonly names: Names;
  readonly #settings: KubernetesConfig;
  /** Null: agents are reached directly, at their Pods' addresses. */
  readonly #forwards: Forwards | null;

  private constructor(api: ApiServer, names: Names, settings: KubernetesConfig, forwards: Forwards | null) {
    this.api = api;
    this.names = names;
    this.#settings = settings;
    this.pods = new PodWatch(api, settings.namespace, names.selector);
    this.#forwards = forwards;
  }

  /**
   * Sends nothing yet. `context`: name of a context in the kubeconfig; null: its current one, or the cluster that the
   * service runs in.
   * @throws ConfigError
   */
  static async open(context: string | null, names: Names, settings: KubernetesConfig): Promise<Cluster> {
    const config = await kubeConfig(context);
    const forwards = settings.reach === 'pod' ? null : await Forwards.open(config, settings.namespace);
    return new Cluster(new ApiServer(config), names, settings, forwards);
  }

  /** API path of a resource in the namespace. */
  path(resource: string, name?: string, group = '/api/v1'): string {
    return `${group}/namespaces/${this.#settings.namespace}/${resource}${name === undefined ? '' : `/${name}`}`;
  }

  /** Creates a Pod. @throws ApiError, or a connection error */
  create(pod: V1Pod, signal: AbortSignal): Promise<V1Pod> {
    return this.api.call('POST', this.path('pods'), { signal: withDeadline(CREATE_TIMEOUT_MS, signal), body: pod });
  }

  /** Deletes a Pod, if it exists. `seconds`: its grace period; 0 deletes it even if its node does not respond. */
  async remove(name: string, seconds = STOP_S): Promise<void> {
    try {
      await this.api.call('DELETE', this.path('pods', name), {
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: seconds, propagationPolicy: 'Background' },
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }
    this.closeForward(name);
  }

  /** Closes the port forward to a Pod that no longer exists. */
  closeForward(name: string): void {
    this.#forwards?.close(name);
  }

  /** Sets annotations of a Pod; null removes one. @throws ApiError, or a connection error */
  async annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    await this.api.call('PATCH', this.path('pods', name), {
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      type: 'application/merge-patch+json',
      body: { metadata: { annotations } },
    });
  }

  /** Reads a Pod; null if it does not exist. */
  async read(name: string, signal: AbortSignal = AbortSignal.timeout(CALL_TIMEOUT_MS)): Promise<V1Pod | null> {
    try {
      return await this.api.call<V1Pod>('GET', this.path('pods', name), { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }

  /** Where a Pod's agent can be reached; null if the Pod has no address yet, or has ended. */
  async endpointOf(pod: V1Pod): Promise<Endpoint | null> {
    const { podIP } = pod.status ?? {};
    if (podIP === undefined || exitOf(pod) !== null) return null;
    const linkVersion = Number(pod.metadata?.labels?.[Label.link] ?? 1);
    if (this.#forwards === null) return { host: podIP, port: AGENT_PORT, linkVersion };
    return { host: '127.0.0.1', port: await this.#forwards.port(pod.metadata?.name ?? ''), linkVersion };
  }

  /** Whether the API server allows port forwards, if agents are reached by them. @throws a connection error */
  async mayReachAgents(): Promise<boolean> {
    return (await this.#forwards?.isAllowed()) ?? true;
  }

  /** The API server's address, and the loopback ports that are forwarded to agents. */
  async hosts(): Promise<{ host: string; port: number }[]> {
    const { hostname, port, protocol } = this.api.url;
    const server = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
    };
    const ports = (await this.#forwards?.ports()) ?? [];
    return [server, ...ports.map(each => ({ host: '127.0.0.1', port: each }))];
  }

  /** A Pod as engines report containers; null if it belongs to no session. */
  async containerOf(pod: V1Pod): Promise<FoundContainer | null> {
    const sessionId = sessionOf(pod);
    if (sessionId === null) return null;
    const { annotations, creationTimestamp } = pod.metadata ?? {};
    const by = annotations?.[Annotation.warmedBy];
    const exit = exitOf(pod);
    return {
      sessionId,
      store: annotations?.[Annotation.store] ?? null,
      endpoint: await this.endpointOf(pod),
      ...(exit === null ? {} : { exit }),
      ...(by === undefined ? {} : { warm: { by, at: millis(creationTimestamp) ?? 0 } }),
    };
  }
}
