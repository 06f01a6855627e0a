import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import { EngineError, type Exit } from '../engine.js';
import { Label } from '../labels.js';
import { SESSION } from './pod-spec.js';

/** ID of a Pod's session; null if it belongs to none. */
export const sessionOf = (pod: V1Pod): string | null => pod.metadata?.labels?.[Label.session] ?? null;

/**
 * A time in the API's JSON as UTC milliseconds; null if it is missing. The client library's types claim that it is a
 * Date.
 */
export function millis(time: Date | string | undefined): number | null {
  const parsed = time === undefined ? NaN : new Date(time).getTime();
  return Number.isNaN(parsed) ? null : parsed;
}

const statusOf = (pod: V1Pod): V1ContainerStatus | undefined =>
  pod.status?.containerStatuses?.find(({ name }) => name === SESSION);

const conditionOf = (pod: V1Pod, type: string) => pod.status?.conditions?.find(each => each.type === type);

/** Whether its container is running, by the last report of its node. */
export const isRunning = (pod: V1Pod): boolean => statusOf(pod)?.state?.running !== undefined && !isLost(pod);

/**
 * Whether its node does not respond any more: the control plane then reports that the Pod is not ready, although the
 * node's last report was that its container is.
 */
export function isLost(pod: V1Pod): boolean {
  if (pod.status?.reason === 'NodeLost') return true;
  return conditionOf(pod, 'Ready')?.status === 'False' && statusOf(pod)?.ready === true;
}

/** Reasons for which clusters evict Pods, of their status or the condition `DisruptionTarget`, as sentences. */
const EVICTIONS: Readonly<Record<string, string>> = {
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

function evictionOf(pod: V1Pod): string | null {
  const disruption = conditionOf(pod, 'DisruptionTarget');
  const named = [
    { reason: pod.status?.reason, message: pod.status?.message },
    disruption?.status === 'True' ? disruption : {},
  ];
  for (const { reason, message } of named) {
    const words = reason === undefined ? undefined : EVICTIONS[reason];
    if (words !== undefined) return sentence(words, message);
  }
  return null;
}

/** How a Pod ended; null if it has not ended. */
export function exitOf(pod: V1Pod): Exit | null {
  if (isLost(pod)) {
    const at = millis(conditionOf(pod, 'Ready')?.lastTransitionTime);
    return { type: 'evicted', reason: `${EVICTIONS['NodeLost'] ?? ''}: ${pod.spec?.nodeName ?? 'unknown'}.`, at };
  }
  const ended = statusOf(pod)?.state?.terminated;
  const phase = pod.status?.phase;
  if (ended === undefined && phase !== 'Failed' && phase !== 'Succeeded') return null;
  const at = millis(ended?.finishedAt);
  const why = evictionOf(pod);
  if (why !== null) return { type: 'evicted', reason: why, at };
  if (ended?.reason === 'OOMKilled') return { type: 'out-of-memory', at };
  if (ended !== undefined) return { type: 'status', code: ended.exitCode, at };
  const filter = pod.status?.initContainerStatuses?.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  if (filter !== undefined) {
    const status = String(filter.state?.terminated?.exitCode);
    return {
      type: 'evicted',
      reason: `The session's network could not be closed: its filter ended with status ${status}.`,
      at,
    };
  }
  const { reason, message } = pod.status ?? {};
  return {
    type: 'evicted',
    reason: sentence(`The session's node refused it (${reason ?? 'for no reason'})`, message),
    at,
  };
}

/** How a deleted Pod ended. */
export function exitOfGone(pod: V1Pod): Exit {
  const exit = exitOf(pod);
  if (exit !== null) return exit;
  const why = evictionOf(pod);
  return why === null ? { type: 'removed', at: null } : { type: 'evicted', reason: why, at: null };
}

/** When a running Pod that is being terminated ends at the latest, UTC milliseconds; null if it is not. */
export const leavingAt = (pod: V1Pod): number | null =>
  isRunning(pod) ? millis(pod.metadata?.deletionTimestamp) : null;

/** Reasons of waiting containers that do not go away by themselves. */
const PERMANENT: Readonly<Record<string, string>> = {
  ErrImageNeverPull: 'The image is not there, and its node may not pull it',
  InvalidImageName: 'The image has no valid name',
  // The node retries later and reports ImagePullBackOff in between, or nothing new.
  ErrImagePull: 'The image cannot be pulled',
  ImagePullBackOff: 'The image cannot be pulled',
  CreateContainerConfigError: "The session's container cannot be made",
  CreateContainerError: "The session's container cannot be made",
  RunContainerError: "The session's container cannot be started",
};

const SECCOMP_HINT = 'Install the system call filter on all nodes, as the chart does, or set BERTH_KUBERNETES_SECCOMP';

/** Why a Pod will never start; null if it still may. */
export function failureOf(pod: V1Pod): EngineError | null {
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  for (const { state, name } of all) {
    const { reason = '', message } = state?.waiting ?? {};
    const words = PERMANENT[reason];
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

/** Why a Pod has not started yet; null if that is not known. */
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
