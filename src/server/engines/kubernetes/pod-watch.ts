import type { V1Pod, V1PodList } from '@kubernetes/client-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '../../lib/deadline.js';
import { type ApiServer, ApiError } from './client.js';

/** The server ends a watch after `watchS` seconds; one that is still there `marginMs` later is dead. */
const TIMING = { watchS: 20, marginMs: 5000 };
const LIST_TIMEOUT_MS = 10_000;
const RETRY_MS = { first: 100, last: 5000 };

/** Pods that a list gives at a time. */
const PAGE = 500;

export interface PodListener {
  /** All Pods are known, and events are told from here on. */
  connected(): void;
  /** No events until the next `connected`. */
  disconnected(error: Error): void;
  /** A Pod is new or has changed. */
  changed(pod: V1Pod): void;
  /** A Pod is gone; as it was last. */
  gone(pod: V1Pod): void;
}

/** Knows the Pods of a namespace by one list and one watch, whoever asks. */
export class PodWatch {
  readonly #api: ApiServer;
  readonly #path: string;
  readonly #selector: string;
  readonly #listeners = new Set<PodListener>();
  readonly #timing: typeof TIMING;
  #pods = new Map<string, V1Pod>();
  #isConnected = false;
  /** Whether it was told that nothing is known, once for each loss. */
  #isLost = false;
  #stop: AbortController | undefined;

  constructor(api: ApiServer, namespace: string, selector: string, timing = TIMING) {
    this.#api = api;
    this.#path = `/api/v1/namespaces/${namespace}/pods`;
    this.#selector = selector;
    this.#timing = timing;
  }

  /** All Pods, by their names; null where they are not known, or not any more. */
  get pods(): ReadonlyMap<string, V1Pod> | null {
    return this.#isConnected ? this.#pods : null;
  }

  /** Tells `listener` until it is taken off; the watch runs while there is one. */
  listen(listener: PodListener): () => void {
    this.#listeners.add(listener);
    if (this.#isConnected) queueMicrotask(() => this.#listeners.has(listener) && listener.connected());
    if (this.#stop === undefined) {
      this.#stop = new AbortController();
      void this.#run(this.#stop.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.abort(new Error('Nobody listens any more.'));
      this.#stop = undefined;
      this.#isConnected = this.#isLost = false;
    };
  }

  /** A consistent list, with its version. @throws ApiError, or what the connection failed by */
  async list(signal: AbortSignal): Promise<{ pods: V1Pod[]; version: string }> {
    const pods: V1Pod[] = [];
    let from: string | undefined;
    for (;;) {
      const query: Record<string, string> = { labelSelector: this.#selector, limit: String(PAGE) };
      const { items, metadata } = await this.#api.call<V1PodList>('GET', this.#path, {
        signal: withDeadline(LIST_TIMEOUT_MS, signal),
        query: from === undefined ? query : { ...query, continue: from },
      });
      pods.push(...items);
      // As it came: the client's type has the name that its own objects have for it.
      from = (metadata as { continue?: string } | undefined)?.continue;
      if (!from) return { pods, version: metadata?.resourceVersion ?? '' };
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    let retryMs = RETRY_MS.first;
    while (!signal.aborted) {
      try {
        const { pods, version } = await this.list(signal);
        signal.throwIfAborted();
        this.#replace(pods);
        await this.#follow(version, signal, () => (retryMs = RETRY_MS.first));
      } catch (error) {
        if (signal.aborted) return;
        // After an error the list decides; while that is to be had, nobody needs to know.
        const isOver = error instanceof ApiError && (error.status === 410 || error.reason === 'Expired');
        if (!isOver && !(error instanceof WatchError)) this.#lose(error as Error);
        await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
        retryMs = Math.min(2 * retryMs, RETRY_MS.last);
      }
    }
  }

  /** One watch after the other from a version on. @throws WatchError with the first that fails */
  async #follow(from: string, signal: AbortSignal, progress: () => void): Promise<never> {
    const { watchS, marginMs } = this.#timing;
    let version = from;
    for (;;) {
      const begun = performance.now();
      try {
        const events = this.#api.watch<V1Pod>(this.#path, {
          signal: withDeadline(1000 * watchS + marginMs, signal),
          query: { labelSelector: this.#selector, resourceVersion: version, timeoutSeconds: String(watchS) },
        });
        for await (const { type, object } of events) {
          version = object.metadata?.resourceVersion ?? version;
          progress();
          if (type !== 'BOOKMARK') this.#apply(object, type === 'DELETED');
        }
      } catch (error) {
        signal.throwIfAborted();
        throw new WatchError(error);
      }
      signal.throwIfAborted();
      // A server that ends every watch at once is not asked more often than this.
      const rest = 1000 - (performance.now() - begun);
      if (rest > 0) await sleep(rest, undefined, { signal });
    }
  }

  #apply(pod: V1Pod, isGone: boolean): void {
    const name = pod.metadata?.name ?? '';
    if (isGone) this.#pods.delete(name);
    else this.#pods.set(name, slim(pod));
    for (const listener of [...this.#listeners])
      if (isGone) listener.gone(pod);
      else listener.changed(pod);
  }

  #replace(pods: readonly V1Pod[]): void {
    const before = this.#pods;
    this.#pods = new Map(pods.map(pod => [pod.metadata?.name ?? '', slim(pod)]));
    const wasConnected = this.#isConnected;
    this.#isConnected = true;
    this.#isLost = false;
    for (const [name, pod] of before)
      if (!this.#pods.has(name)) for (const each of [...this.#listeners]) each.gone(pod);
    for (const [name, pod] of this.#pods) {
      if (before.get(name)?.metadata?.resourceVersion === pod.metadata?.resourceVersion) continue;
      for (const listener of [...this.#listeners]) listener.changed(pod);
    }
    if (!wasConnected) for (const listener of [...this.#listeners]) listener.connected();
  }

  #lose(error: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#isConnected = false;
    for (const listener of [...this.#listeners]) listener.disconnected(error);
  }
}

/** What is needed of a Pod: neither its secret, nor who manages which field of it. */
function slim({ metadata = {}, spec, status }: V1Pod): V1Pod {
  const { name, labels, annotations, creationTimestamp, deletionTimestamp, resourceVersion } = metadata;
  const { nodeName } = spec ?? {};
  return {
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    spec: { containers: [], ...(nodeName === undefined ? {} : { nodeName }) },
    ...(status === undefined ? {} : { status }),
  };
}

/** A watch ended before its time; what was missed is in the next list. */
class WatchError extends Error {
  override readonly name = 'WatchError';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
