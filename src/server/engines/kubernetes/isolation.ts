import type { EgressConfig } from '../../config/index.js';
import { ApiError } from './client.js';
import type { Cluster } from './cluster.js';
import type { PodSettings } from './pod-spec.js';
import { type NetworkPolicy, networkPolicy } from './policy.js';
import { Probe } from './probe.js';

const GROUP = '/apis/networking.k8s.io/v1';
const CALL_TIMEOUT_MS = 10_000;

/** What keeps sessions from private addresses: put in place, proven, and kept. */
export class Isolation {
  readonly #cluster: Cluster;
  readonly #settings: PodSettings;
  readonly #wanted: NetworkPolicy | null;
  readonly #isPrivate: boolean;

  constructor(cluster: Cluster, settings: PodSettings, egress: EgressConfig) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#isPrivate = egress.mode === 'private';
    const { kubernetes, names } = settings;
    this.#wanted =
      egress.mode === 'private' && kubernetes.egress === 'policy'
        ? networkPolicy(names, kubernetes.namespace, egress.allow)
        : null;
  }

  /**
   * Puts all in place, whatever was there, and proves it.
   * @throws EngineError, or what the API server could not be reached by
   */
  async make(): Promise<void> {
    if (this.#wanted === null) await this.remove();
    else await this.keep();
    await new Probe(this.#cluster, this.#settings.names, this.#settings).prove(this.#isPrivate);
  }

  /** Puts the policy back where it is not as it was made: whether it had to. */
  async keep(): Promise<boolean> {
    if (this.#wanted === null) return false;
    const found = await this.#read();
    if (found === null) {
      await this.#call('POST', undefined, this.#wanted);
      return true;
    }
    if (isSame(this.#wanted.spec, found.spec)) return false;
    const { resourceVersion = '' } = found.metadata;
    const metadata = { ...this.#wanted.metadata, resourceVersion };
    await this.#call('PUT', this.#settings.names.policy, { ...this.#wanted, metadata });
    return true;
  }

  /** Removes the policy; none is no error. */
  async remove(): Promise<void> {
    try {
      await this.#call('DELETE', this.#settings.names.policy);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }
  }

  async #read(): Promise<NetworkPolicy | null> {
    try {
      return await this.#call('GET', this.#settings.names.policy);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }

  #call<T>(method: string, name?: string, body?: unknown): Promise<T> {
    return this.#cluster.api.call<T>(method, this.#cluster.path('networkpolicies', name, GROUP), {
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
  }
}

/** Whether all that is wanted is there, in whatever order of fields, and nothing else. */
function isSame(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || typeof found !== 'object' || found === null)
    return wanted === found;
  const [ours, theirs] = [Object.entries(wanted), Object.keys(found)];
  return (
    ours.length === theirs.length &&
    ours.every(([key, value]) => isSame(value, (found as Record<string, unknown>)[key]))
  );
}
