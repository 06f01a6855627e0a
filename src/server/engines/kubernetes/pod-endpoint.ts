import type { V1Pod } from '@kubernetes/client-node';
import { type Endpoint, EngineError } from '../engine.js';
import type { Cluster } from './cluster.js';
import { exitOf, failureOf } from './pod-state.js';

export interface PodEndpointOptions {
  cluster: Pick<Cluster, 'pods' | 'endpointOf'>;
  /** Name of the Pod. */
  name: string;
  /** Called with each new state of the Pod. */
  seen: (pod: V1Pod) => void;
}

/**
 * Waits until a Pod's agent can be reached; to be called before the Pod is created. `endpoint` rejects with an
 * EngineError if the Pod fails.
 */
export function podEndpoint({ cluster, name, seen }: PodEndpointOptions): {
  endpoint: Promise<Endpoint>;
  stop(): void;
} {
  let stopListening = () => {};
  const endpoint = new Promise<Endpoint>((resolve, reject) => {
    const reached = async (pod: V1Pod) => {
      const found = await cluster.endpointOf(pod);
      if (found !== null) resolve(found);
    };
    stopListening = cluster.pods.listen({
      connected: () => {},
      disconnected: () => {},
      changed: pod => {
        if (pod.metadata?.name !== name) return;
        seen(pod);
        const failure = failureOf(pod);
        const exit = exitOf(pod);
        if (failure !== null) reject(failure);
        else if (exit !== null)
          reject(
            new EngineError(
              'refused',
              exit.type === 'evicted' ? exit.reason : 'The Pod ended as soon as it was started.',
            ),
          );
        else if (pod.status?.podIP) reached(pod).catch(reject);
      },
      gone: gone => {
        if (gone.metadata?.name === name) reject(new EngineError('refused', 'The Pod was removed while it started.'));
      },
    });
  });
  // If the Pod could not even be created, nobody awaits this.
  endpoint.catch(() => {});
  return { endpoint, stop: () => stopListening() };
}
