import type { V1Pod } from '@kubernetes/client-node';
import { EngineError } from '../engine.js';
import { exitOf, failureOf } from './pod-state.js';
import type { PodWatch } from './pod-watch.js';

/**
 * Waits until a Pod has an address, from before it is made. `pod` rejects with an EngineError where it has failed.
 * `seen` is told of each of its states.
 */
export function started(
  pods: PodWatch,
  name: string,
  seen: (pod: V1Pod) => void,
): { pod: Promise<V1Pod>; stop(): void } {
  let stop = () => {};
  const pod = new Promise<V1Pod>((resolve, reject) => {
    stop = pods.listen({
      connected: () => {},
      disconnected: () => {},
      changed: changed => {
        if (changed.metadata?.name !== name) return;
        seen(changed);
        const failure = failureOf(changed);
        const exit = exitOf(changed);
        if (failure !== null) reject(failure);
        else if (exit !== null)
          reject(
            new EngineError('refused', exit.how === 'taken' ? exit.why : 'The Pod ended as soon as it was started.'),
          );
        else if (changed.status?.podIP) resolve(changed);
      },
      gone: gone => {
        if (gone.metadata?.name === name) reject(new EngineError('refused', 'The Pod was removed while it started.'));
      },
    });
  });
  // Whoever could not even make the Pod does not wait for it.
  pod.catch(() => {});
  return { pod, stop };
}
