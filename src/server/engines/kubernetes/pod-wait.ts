import type { V1Pod } from '@kubernetes/client-node';
import { EngineError } from '../engine.js';
import { delayOf, failureOf } from './pod-state.js';
import type { PodWatch } from './pod-watch.js';

/** A listener that only keeps the watch running. */
export const idle = { connected() {}, disconnected() {}, changed() {}, gone() {} };

/**
 * Waits until a helper Pod is as `isReady` says, and returns it.
 * @throws EngineError if the Pod fails, or `signal` aborts first
 */
export async function waitForPod(
  pods: PodWatch,
  name: string,
  isReady: (pod: V1Pod) => boolean,
  signal: AbortSignal,
): Promise<V1Pod> {
  let stop = () => {};
  let last: V1Pod | undefined;
  try {
    return await new Promise<V1Pod>((resolve, reject) => {
      const check = (pod: V1Pod) => {
        if (pod.metadata?.name !== name) return;
        last = pod;
        const failure = failureOf(pod);
        if (isReady(pod)) resolve(pod);
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
      stop = pods.listen({ ...idle, changed: check });
      const known = pods.pods?.get(name);
      if (known !== undefined) check(known);
    });
  } finally {
    stop();
  }
}
