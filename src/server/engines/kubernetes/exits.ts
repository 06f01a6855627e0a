import type { V1Pod } from '@kubernetes/client-node';
import type { EngineEvents } from '../engine.js';
import type { Cluster } from './cluster.js';
import { exitOf, exitOfGone, isLost, leavingAt, sessionOf } from './pod-state.js';
import type { PodListener } from './pod-watch.js';

/** Makes what a service is told of its sessions out of what happens to Pods: each end once. */
export class Exits implements PodListener {
  readonly #cluster: Cluster;
  readonly #events: EngineEvents;
  /** Sessions whose end was told, as long as their Pods are there. */
  readonly #told = new Set<string>();

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
    if (sessionId === null || this.#told.has(sessionId)) return;
    const exit = exitOf(pod);
    const until = leavingAt(pod);
    if (exit !== null) {
      this.#told.add(sessionId);
      // The Pod of a node that does not answer would stay for as long as that.
      if (isLost(pod)) void this.#cluster.remove(pod.metadata?.name ?? '', 0).catch(() => {});
      this.#events.exited(sessionId, exit);
    } else if (until !== null) {
      this.#events.leaving(sessionId, until);
    }
  }

  /** Tells again which sessions' Pods were told to go. */
  remind(): void {
    for (const pod of this.#cluster.pods.pods?.values() ?? []) {
      const [sessionId, until] = [sessionOf(pod), leavingAt(pod)];
      if (sessionId !== null && until !== null) this.#events.leaving(sessionId, until);
    }
  }

  gone(pod: V1Pod): void {
    this.#cluster.forget(pod.metadata?.name ?? '');
    const sessionId = sessionOf(pod);
    if (sessionId === null || this.#told.delete(sessionId)) return;
    this.#events.exited(sessionId, exitOfGone(pod));
  }
}
