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
import { Prober } from './prober.js';

const GROUP = '/apis/networking.k8s.io/v1';
const CALL_TIMEOUT_MS = 10_000;

/** Limit for everything together, including the first pull of images. */
const MAKE_TIMEOUT_MS = 110_000;

/** Keeps sessions from private addresses: creates the network policy and the canary, and verifies that they work. */
export class Isolation {
  readonly #cluster: Cluster;
  readonly #settings: PodSettings;
  /** The network policy of sessions; null: there is none. */
  readonly #policy: NetworkPolicy | null;
  readonly #canary: Canary;
  readonly #isPrivate: boolean;
  readonly #helpers: PodWatch;
  /** Hash of everything that the verification depends on. */
  readonly #proof: string;
  /** Address, `host:port`, that sessions must not reach; null: they may reach private ones, or it is not known yet. */
  canary: string | null = null;

  constructor(cluster: Cluster, settings: PodSettings, egress: EgressConfig) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#canary = new Canary(cluster, settings);
    this.#isPrivate = egress.mode === 'private';
    const { kubernetes, names } = settings;
    const selector = `${Label.instance}=${names.instance},${Label.role} in (canary,control,probe)`;
    this.#helpers = new PodWatch(cluster.api, kubernetes.namespace, selector);
    this.#policy =
      egress.mode === 'private' && kubernetes.egress === 'policy'
        ? networkPolicy({ names, kubernetes, allow: egress.allow })
        : null;
    // Any change of a session's Pod or of the policy makes a new verification necessary.
    const pod = podSpec({ sessionId: '', kind: 'chromium', linkSecret: '' }, settings);
    this.#proof = createHash('sha256')
      .update(JSON.stringify([pod, this.#policy]))
      .digest('hex')
      .slice(0, 32);
  }

  /**
   * Creates or corrects everything, and verifies it unless this was done lately.
   * @throws EngineError, ApiError, or a connection error
   */
  async make(): Promise<void> {
    const signal = withDeadline(MAKE_TIMEOUT_MS);
    // Keeps the watch running between the waits for single Pods.
    const stop = this.#helpers.listen(idle);
    try {
      const isNew = this.#policy !== null && (await this.#ensurePolicy(this.#policy));
      if (this.#policy === null) await this.#removePolicy();
      const found = this.#isPrivate ? await this.#canary.ensure(this.#helpers, signal) : null;
      if (found === null) await this.#canary.remove();
      this.canary = found?.address ?? null;
      // A service that was only restarted need not wait for another verification.
      if (!isNew && found?.proof === this.#proof) return;
      await new Prober(this.#cluster, this.#settings, this.#helpers).verify(this.canary, signal);
      if (found !== null) await this.#canary.saveProof(this.#proof);
    } finally {
      stop();
    }
  }

  /**
   * Restores the policy and the canary if they are missing or were changed. Returns whether the policy was restored.
   */
  async repair(): Promise<boolean> {
    const restored = this.#policy !== null && (await this.#ensurePolicy(this.#policy));
    if (this.#isPrivate)
      this.canary = (await this.#canary.ensure(this.#helpers, withDeadline(CALL_TIMEOUT_MS))).address;
    return restored;
  }

  /** Removes the policy and the canary. */
  async remove(): Promise<void> {
    await this.#canary.remove();
    await this.#removePolicy();
  }

  /** Creates or corrects the policy. Returns whether that was necessary. */
  async #ensurePolicy(wanted: NetworkPolicy): Promise<boolean> {
    const found = await this.#readPolicy();
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

  async #readPolicy(): Promise<NetworkPolicy | null> {
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

/** Whether two values of JSON are equal, whatever the order of their fields. */
function isSame(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || typeof found !== 'object' || found === null)
    return wanted === found;
  const [ours, theirs] = [Object.entries(wanted), Object.keys(found)];
  return (
    ours.length === theirs.length &&
    ours.every(([key, value]) => isSame(value, (found as Record<string, unknown>)[key]))
  );
}
