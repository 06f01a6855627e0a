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

/** Longer than what a webhook of the cluster may take to admit a Pod, 10 s by default. */
const CREATE_TIMEOUT_MS = 15_000;

/** Seconds that a Pod may take to end which nobody needs any more. */
const STOP_S = 1;

/** One cluster's namespace of sessions: all regions in it share connections, list and watch. Nothing is sent yet. */
export class Cluster {
  readonly api: ApiServer;
  readonly pods: PodWatch;
  readonly names: Names;
  readonly #settings: KubernetesConfig;
  /** Null: agents are reached at their Pods' addresses. */
  readonly #forwards: Forwards | null;

  private constructor(api: ApiServer, names: Names, settings: KubernetesConfig, forwards: Forwards | null) {
    this.api = api;
    this.names = names;
    this.#settings = settings;
    this.pods = new PodWatch(api, settings.namespace, names.selector);
    this.#forwards = forwards;
  }

  /** `context`: of the kubeconfig; null: its current one, or the cluster that the service runs in. @throws ConfigError */
  static async open(context: string | null, names: Names, settings: KubernetesConfig): Promise<Cluster> {
    const config = await kubeConfig(context);
    const forwards = settings.reach === 'pod' ? null : await Forwards.open(config, settings.namespace);
    return new Cluster(new ApiServer(config), names, settings, forwards);
  }

  /** Path of the API for what is in the namespace. */
  path(resource: string, name?: string, group = '/api/v1'): string {
    return `${group}/namespaces/${this.#settings.namespace}/${resource}${name === undefined ? '' : `/${name}`}`;
  }

  /** Makes a Pod. @throws ApiError, or what the connection failed by */
  create(pod: V1Pod, signal: AbortSignal): Promise<V1Pod> {
    return this.api.call('POST', this.path('pods'), { signal: withDeadline(CREATE_TIMEOUT_MS, signal), body: pod });
  }

  /** Removes a Pod; none is no error. `seconds`: that it may take; 0: also where its node does not answer. */
  async remove(name: string, seconds = STOP_S): Promise<void> {
    try {
      await this.api.call('DELETE', this.path('pods', name), {
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: seconds, propagationPolicy: 'Background' },
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }
    this.forget(name);
  }

  /** Closes what leads to a Pod that is gone. */
  forget(name: string): void {
    this.#forwards?.close(name);
  }

  /** Changes annotations of a Pod; null takes one off. @throws ApiError, or what the connection failed by */
  async annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    await this.api.call('PATCH', this.path('pods', name), {
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      type: 'application/merge-patch+json',
      body: { metadata: { annotations } },
    });
  }

  /** A Pod as it is now; null: there is none. */
  async read(name: string, signal: AbortSignal = AbortSignal.timeout(CALL_TIMEOUT_MS)): Promise<V1Pod | null> {
    try {
      return await this.api.call<V1Pod>('GET', this.path('pods', name), { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }

  /** Where the agent of a Pod listens; null: it has no address yet, or has ended. */
  async endpointOf(pod: V1Pod): Promise<Endpoint | null> {
    const { podIP } = pod.status ?? {};
    if (podIP === undefined || exitOf(pod) !== null) return null;
    const linkVersion = Number(pod.metadata?.labels?.[Label.link] ?? 1);
    if (this.#forwards === null) return { host: podIP, port: AGENT_PORT, linkVersion };
    return { host: '127.0.0.1', port: await this.#forwards.port(pod.metadata?.name ?? ''), linkVersion };
  }

  /** Whether agents may be reached, as far as that is the API server's to say. @throws what the connection failed by */
  async maySeeAgents(): Promise<boolean> {
    return (await this.#forwards?.isAllowed()) ?? true;
  }

  /** Where connections lead to the API server or to agents. */
  async hosts(): Promise<{ host: string; port: number }[]> {
    const { hostname, port, protocol } = this.api.url;
    const server = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
    };
    const ports = (await this.#forwards?.ports()) ?? [];
    return [server, ...ports.map(each => ({ host: '127.0.0.1', port: each }))];
  }

  /** What the service is told of a Pod; null: it is no session's. */
  async foundOf(pod: V1Pod): Promise<FoundContainer | null> {
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
