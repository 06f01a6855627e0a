import type { V1Pod } from '@kubernetes/client-node';
import { type Endpoint, EngineError } from '../engine.js';
import type { Cluster } from './cluster.js';
import { exitOf, failureOf } from './pod-state.js';

export interface StartedOptions {
  cluster: Pick<Cluster, 'pods' | 'endpointOf'>;
  /** Name of the Pod. */
  name: string;
  /** Is told of each of the Pod's states. */
  seen: (pod: V1Pod) => void;
}

/** Waits until a Pod can be reached, from before it is made. `endpoint` rejects with an EngineError where it has failed. */
export function started({ cluster, name, seen }: StartedOptions): {
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
            new EngineError('refused', exit.how === 'taken' ? exit.why : 'The Pod ended as soon as it was started.'),
          );
        else if (pod.status?.podIP) reached(pod).catch(reject);
      },
      gone: gone => {
        if (gone.metadata?.name === name) reject(new EngineError('refused', 'The Pod was removed while it started.'));
      },
    });
  });
  // Whoever could not even make the Pod does not wait for it.
  endpoint.catch(() => {});
  return { endpoint, stop: () => stopListening() };
}
