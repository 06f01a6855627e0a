import { createHash } from 'node:crypto';
import type { EgressConfig } from '../../config/index.js';
import { withDeadline } from '../../lib/deadline.js';
import { Label } from '../labels.js';
import { Canary } from './canary.js';
import { ApiError } from './client.js';
import type { Cluster } from './cluster.js';
import { podSpec, type PodSettings } from './pod-spec.js';
import { type NetworkPolicy, networkPolicy } from './policy.js';
import { idle } from './pod-wait.js';
import { PodWatch } from './pod-watch.js';
import { Probe } from './probe.js';

const GROUP = '/apis/networking.k8s.io/v1';
const CALL_TIMEOUT_MS = 10_000;

/** How long everything together may take, images' first pull included. */
const MAKE_TIMEOUT_MS = 110_000;

/** What keeps sessions from private addresses: put in place, proven, and kept. */
export class Isolation {
  readonly #cluster: Cluster;
  readonly #settings: PodSettings;
  readonly #wanted: NetworkPolicy | null;
  readonly #canary: Canary;
  readonly #isPrivate: boolean;
  readonly #helpers: PodWatch;
  /** Names what is proven, as long as nothing changes. */
  readonly #proof: string;
  /** Address, `host:port`, that sessions must not reach; null: nothing is closed, or not yet. */
  canary: string | null = null;

  constructor(cluster: Cluster, settings: PodSettings, egress: EgressConfig) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#canary = new Canary(cluster, settings);
    this.#isPrivate = egress.mode === 'private';
    const { kubernetes, names } = settings;
    const selector = `${Label.instance}=${names.instance},${Label.role} in (canary,control,probe)`;
    this.#helpers = new PodWatch(cluster.api, kubernetes.namespace, selector);
    this.#wanted =
      egress.mode === 'private' && kubernetes.egress === 'policy'
        ? networkPolicy({ names, kubernetes, allow: egress.allow })
        : null;
    // Whatever may make a difference to what a session's Pod can do.
    const pod = podSpec({ sessionId: '', kind: 'chromium', linkSecret: '' }, settings);
    this.#proof = createHash('sha256')
      .update(JSON.stringify([pod, this.#wanted]))
      .digest('hex')
      .slice(0, 32);
  }

  /**
   * Puts all in place, whatever was there, and proves it.
   * @throws EngineError, or what the API server could not be reached by
   */
  async make(): Promise<void> {
    const signal = withDeadline(MAKE_TIMEOUT_MS);
    // Runs from one wait to the next.
    const stop = this.#helpers.listen(idle);
    try {
      const isNew = this.#wanted !== null && (await this.#keepPolicy(this.#wanted));
      if (this.#wanted === null) await this.#removePolicy();
      const found = this.#isPrivate ? await this.#canary.ensure(this.#helpers, signal) : null;
      if (found === null) await this.#canary.remove();
      this.canary = found?.address ?? null;
      // A service that is only restarted need not wait for it again.
      if (!isNew && found?.proof === this.#proof) return;
      await new Probe(this.#cluster, this.#settings, this.#helpers).prove(this.canary, signal);
      if (found !== null) await this.#canary.mark(this.#proof);
    } finally {
      stop();
    }
  }

  /** Restores policy and canary if they are not as they were made: whether the policy was not. */
  async keep(): Promise<boolean> {
    const restored = this.#wanted !== null && (await this.#keepPolicy(this.#wanted));
    if (this.#isPrivate)
      this.canary = (await this.#canary.ensure(this.#helpers, withDeadline(CALL_TIMEOUT_MS))).address;
    return restored;
  }

  /** Removes everything. */
  async remove(): Promise<void> {
    await this.#canary.remove();
    await this.#removePolicy();
  }

  async #keepPolicy(wanted: NetworkPolicy): Promise<boolean> {
    const found = await this.#read();
    if (found === null) {
      await this.#call('POST', undefined, wanted);
      return true;
    }
    if (isSame(wanted.spec, found.spec)) return false;
    const { resourceVersion = '' } = found.metadata;
    const metadata = { ...wanted.metadata, resourceVersion };
    await this.#call('PUT', this.#settings.names.policy, { ...wanted, metadata });
    return true;
  }

  async #removePolicy(): Promise<void> {
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
