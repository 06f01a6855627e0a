import type { V1Pod } from '@kubernetes/client-node';
import { EngineError } from '../engine.js';
import { delayOf, failureOf } from './pod-state.js';
import type { PodWatch } from './pod-watch.js';

/** A listener for those who only want the watch to run. */
export const idle = { connected() {}, disconnected() {}, changed() {}, gone() {} };

/**
 * Waits until a helper Pod is in the wanted state.
 * @throws EngineError if it has failed, or `signal` aborts before
 */
export async function podThat(
  pods: PodWatch,
  name: string,
  isIt: (pod: V1Pod) => boolean,
  signal: AbortSignal,
): Promise<V1Pod> {
  let stop = () => {};
  let last: V1Pod | undefined;
  try {
    return await new Promise<V1Pod>((resolve, reject) => {
      const look = (pod: V1Pod) => {
        if (pod.metadata?.name !== name) return;
        last = pod;
        const failure = failureOf(pod);
        if (isIt(pod)) resolve(pod);
        else if (failure !== null) reject(failure);
        else if (pod.status?.phase === 'Failed')
          reject(new EngineError('refused', `The Pod ${name} failed: ${pod.status.message ?? 'no reason given'}.`));
      };
      const late = () => {
        const delay = last === undefined ? null : delayOf(last);
        reject(delay ?? new EngineError('unavailable', `The Pod ${name} took too long.`));
      };
      if (signal.aborted) late();
      else signal.addEventListener('abort', late, { once: true });
      stop = pods.listen({ ...idle, changed: look });
      const known = pods.pods?.get(name);
      if (known !== undefined) look(known);
    });
  } finally {
    stop();
  }
}
