import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import { EngineError, type Exit } from '../engine.js';
import { Label } from '../labels.js';
import { SESSION } from './pod-spec.js';

/** ID of the session that a Pod is for; null: it is for none. */
export const sessionOf = (pod: V1Pod): string | null => pod.metadata?.labels?.[Label.session] ?? null;

/** A time of the API's, which the client's types take for a date already, UTC milliseconds; null: there is none. */
export function millis(time: Date | string | undefined): number | null {
  const parsed = time === undefined ? NaN : new Date(time).getTime();
  return Number.isNaN(parsed) ? null : parsed;
}

const statusOf = (pod: V1Pod): V1ContainerStatus | undefined =>
  pod.status?.containerStatuses?.find(({ name }) => name === SESSION);

const conditionOf = (pod: V1Pod, type: string) => pod.status?.conditions?.find(each => each.type === type);

/** Whether its containers run, as far as its node has told. */
export const isRunning = (pod: V1Pod): boolean => statusOf(pod)?.state?.running !== undefined && !isLost(pod);

/**
 * Whether its node does not answer any more: the control plane says then that the Pod is not ready, while the node's
 * last word was that its container is.
 */
export function isLost(pod: V1Pod): boolean {
  if (pod.status?.reason === 'NodeLost') return true;
  return conditionOf(pod, 'Ready')?.status === 'False' && statusOf(pod)?.ready === true;
}

/** Why a cluster takes Pods away: reasons of Pods and of their condition `DisruptionTarget`. */
const TAKEN: Readonly<Record<string, string>> = {
  Evicted: "The session's node evicted it",
  EvictionByEvictionAPI: "The session's node is being cleared",
  Preempting: 'The session made room for something more important',
  PreemptionByScheduler: 'The session made room for something more important',
  DeletionByTaintManager: "The session's node may not be used any more",
  DeletionByPodGC: "The session's node is gone",
  TerminationByKubelet: "The session's node ended it",
  Terminated: "The session's node shuts down",
  NodeShutdown: "The session's node shuts down",
  NodeLost: "The session's node does not answer any more",
};

function takenBy(pod: V1Pod): string | null {
  const disruption = conditionOf(pod, 'DisruptionTarget');
  const named = [
    { reason: pod.status?.reason, message: pod.status?.message },
    disruption?.status === 'True' ? disruption : {},
  ];
  for (const { reason, message } of named) {
    const words = reason === undefined ? undefined : TAKEN[reason];
    if (words !== undefined) return sentence(words, message);
  }
  return null;
}

/** How a Pod ended; null: it has not. */
export function exitOf(pod: V1Pod): Exit | null {
  if (isLost(pod)) {
    const at = millis(conditionOf(pod, 'Ready')?.lastTransitionTime);
    return { how: 'taken', why: `${TAKEN['NodeLost'] ?? ''}: ${pod.spec?.nodeName ?? 'unknown'}.`, at };
  }
  const ended = statusOf(pod)?.state?.terminated;
  const phase = pod.status?.phase;
  if (ended === undefined && phase !== 'Failed' && phase !== 'Succeeded') return null;
  const at = millis(ended?.finishedAt);
  const why = takenBy(pod);
  if (why !== null) return { how: 'taken', why, at };
  if (ended?.reason === 'OOMKilled') return { how: 'out-of-memory', at };
  if (ended !== undefined) return { how: 'status', code: ended.exitCode, at };
  const filter = pod.status?.initContainerStatuses?.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  if (filter !== undefined) {
    const status = String(filter.state?.terminated?.exitCode);
    return {
      how: 'taken',
      why: `The session's network could not be closed: its filter ended with status ${status}.`,
      at,
    };
  }
  const { reason, message } = pod.status ?? {};
  return { how: 'taken', why: sentence(`The session's node refused it (${reason ?? 'for no reason'})`, message), at };
}

/** How a Pod ended that is gone: as it had before, or by whoever removed it. */
export function exitOfGone(pod: V1Pod): Exit {
  const exit = exitOf(pod);
  if (exit !== null) return exit;
  const why = takenBy(pod);
  return why === null ? { how: 'removed', at: null } : { how: 'taken', why, at: null };
}

/** When a running Pod that was told to go ends at the latest, UTC milliseconds; null: it was not told. */
export const leavingAt = (pod: V1Pod): number | null =>
  isRunning(pod) ? millis(pod.metadata?.deletionTimestamp) : null;

/** What a container waits for that does not come by waiting. */
const HOPELESS: Readonly<Record<string, string>> = {
  ErrImageNeverPull: 'The image is not there, and its node may not pull it',
  InvalidImageName: 'The image has no valid name',
  // Its node tries again later, and says ImagePullBackOff in between, or nothing new.
  ErrImagePull: 'The image cannot be pulled',
  ImagePullBackOff: 'The image cannot be pulled',
  CreateContainerConfigError: "The session's container cannot be made",
  CreateContainerError: "The session's container cannot be made",
  RunContainerError: "The session's container cannot be started",
};

const SECCOMP_HINT = 'Install the system call filter on all nodes, as the chart does, or set BERTH_KUBERNETES_SECCOMP';

/** Why a Pod will not start, however long one waits; null: it may still. */
export function failureOf(pod: V1Pod): EngineError | null {
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  for (const { state, name } of all) {
    const { reason = '', message } = state?.waiting ?? {};
    const words = HOPELESS[reason];
    if (words !== undefined) {
      const isFilter = /seccomp/.test(message ?? '');
      return new EngineError(
        isFilter ? 'unfit' : 'refused',
        sentence(words, message) + (isFilter ? ` ${SECCOMP_HINT}.` : ''),
      );
    }
    if (name !== SESSION && (state?.terminated?.exitCode ?? 0) !== 0)
      return new EngineError(
        'refused',
        "The session's network could not be closed; see the log of its Pod's container filter.",
      );
  }
  return null;
}

/** Why a Pod has not started yet, for whoever waits no longer; null: nothing is known. */
export function delayOf(pod: V1Pod): EngineError | null {
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.status === 'False')
    return new EngineError('full', sentence('No node has room for the session', scheduled.message));
  return null;
}

function sentence(words: string, more: string | undefined): string {
  const text = more?.trim().replace(/\.+$/, '') ?? '';
  return text === '' ? `${words}.` : `${words}: ${text}.`;
}
