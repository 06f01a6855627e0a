import type { V1Pod } from '@kubernetes/client-node';
import type { EngineEvents } from '../engine.js';
import type { Cluster } from './cluster.js';
import { exitOf, exitOfGone, isLost, leavingAt, sessionOf } from './pod-state.js';
import type { PodListener } from './pod-watch.js';

/** Translates changes of Pods into events of their sessions' containers; each end is reported once. */
export class Exits implements PodListener {
  readonly #cluster: Cluster;
  readonly #events: EngineEvents;
  /** Sessions whose end was reported and whose Pods still exist. */
  readonly #reported = new Set<string>();

  constructor(cluster: Cluster, events: EngineEvents) {
    this.#cluster = cluster;
    this.#events = events;
  }

  connected(): void {
    this.#events.connected();
  }

  disconnected(error: Error): void {
    this.#events.disconnected(error);
  }

  changed(pod: V1Pod): void {
    const sessionId = sessionOf(pod);
    if (sessionId === null || this.#reported.has(sessionId)) return;
    const exit = exitOf(pod);
    const until = leavingAt(pod);
    if (exit !== null) {
      this.#reported.add(sessionId);
      // A Pod on a node that does not respond would otherwise stay until the node is back.
      if (isLost(pod)) void this.#cluster.remove(pod.metadata?.name ?? '', 0).catch(() => {});
      this.#events.exited(sessionId, exit);
    } else if (until !== null) {
      this.#events.leaving(sessionId, until);
    }
  }

  /** Reports all Pods that are being terminated once more. */
  repeatLeaving(): void {
    for (const pod of this.#cluster.pods.pods?.values() ?? []) {
      const [sessionId, until] = [sessionOf(pod), leavingAt(pod)];
      if (sessionId !== null && until !== null) this.#events.leaving(sessionId, until);
    }
  }

  gone(pod: V1Pod): void {
    this.#cluster.closeForward(pod.metadata?.name ?? '');
    const sessionId = sessionOf(pod);
    if (sessionId === null || this.#reported.delete(sessionId)) return;
    this.#events.exited(sessionId, exitOfGone(pod));
  }
}
