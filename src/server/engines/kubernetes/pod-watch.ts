import type { V1Pod, V1PodList } from '@kubernetes/client-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '../../lib/deadline.js';
import { type ApiServer, ApiError } from './client.js';

/** The server ends a watch after `watchS` seconds; a connection still open `marginMs` later counts as dead. */
const TIMING = { watchS: 20, marginMs: 5000 };
const LIST_TIMEOUT_MS = 10_000;
const RETRY_MS = { first: 100, last: 5000 };

/** Pods per page of a list. */
const PAGE = 500;

export interface PodListener {
  /** All Pods are known; events follow from here on. */
  connected(): void;
  /** No events until the next `connected`. */
  disconnected(error: Error): void;
  /** A Pod is new or has changed. */
  changed(pod: V1Pod): void;
  /** A Pod was deleted. `pod`: its last state. */
  gone(pod: V1Pod): void;
}

/** Keeps track of a namespace's Pods by one list and one watch for all listeners. */
export class PodWatch {
  readonly #api: ApiServer;
  readonly #path: string;
  readonly #selector: string;
  readonly #listeners = new Set<PodListener>();
  readonly #timing: typeof TIMING;
  #pods = new Map<string, V1Pod>();
  #isConnected = false;
  /** Whether listeners were told of the loss of the connection. */
  #isLost = false;
  #stop: AbortController | undefined;

  constructor(api: ApiServer, namespace: string, selector: string, timing = TIMING) {
    this.#api = api;
    this.#path = `/api/v1/namespaces/${namespace}/pods`;
    this.#selector = selector;
    this.#timing = timing;
  }

  /** All Pods by name; null while they are not known. */
  get pods(): ReadonlyMap<string, V1Pod> | null {
    return this.#isConnected ? this.#pods : null;
  }

  /** Adds a listener, and returns a function that removes it. The watch runs while there is a listener. */
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

  /** A consistent list of Pods, and its resource version. @throws ApiError, or a connection error */
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
      // The client library's type renames the field.
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
        // A failed watch alone is no loss: the next list has what was missed. Only if that fails too, listeners are
        // told.
        const isOver = error instanceof ApiError && (error.status === 410 || error.reason === 'Expired');
        if (!isOver && !(error instanceof WatchError)) this.#disconnected(error as Error);
        await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
        retryMs = Math.min(2 * retryMs, RETRY_MS.last);
      }
    }
  }

  /** Runs one watch after the other, starting at a resource version. @throws WatchError when one fails */
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
      // In case the server ends every watch at once: at most one per second.
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

  #disconnected(error: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#isConnected = false;
    for (const listener of [...this.#listeners]) listener.disconnected(error);
  }
}

/** The fields of a Pod that are used, to save memory; without its environment, which contains the link secret. */
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

/** A watch ended early; the next list has what was missed. */
class WatchError extends Error {
  override readonly name = 'WatchError';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
