import type { V1Pod, V1PodStatus } from '@kubernetes/client-node';
import t from 'tap';
import {
  delayOf,
  exitOf,
  exitOfGone,
  failureOf,
  isRunning,
  leavingAt,
} from '../../../src/server/engines/kubernetes/pod-state.js';

/** A Pod as the API tells it: JSON, times as texts. */
const pod = (status: object, metadata: object = {}): V1Pod => ({
  metadata: { name: 'pod', ...metadata },
  spec: { nodeName: 'node-7', containers: [] },
  status,
});

const container = (state: object, more: object = {}): Partial<V1PodStatus> =>
  ({ containerStatuses: [{ name: 'session', ready: false, state, ...more }] }) as unknown as Partial<V1PodStatus>;

const RUNNING = container({ running: { startedAt: '2026-01-01T00:00:00Z' } }, { ready: true });
const READY = { type: 'Ready', status: 'True' };
const AT = '2026-01-01T00:01:00Z';
const at = Date.parse(AT);

t.test('a Pod that starts or runs has not ended', async t => {
  t.equal(exitOf(pod({ phase: 'Pending' })), null);
  t.equal(exitOf(pod({ phase: 'Running', ...RUNNING, conditions: [READY] })), null);
  t.equal(isRunning(pod({ phase: 'Running', ...RUNNING, conditions: [READY] })), true);
});

t.test('a container ends by its status, for lack of memory, or with its Pod', async t => {
  const ended = (state: object) => pod({ phase: 'Failed', ...container({ terminated: { finishedAt: AT, ...state } }) });
  t.same(exitOf(ended({ exitCode: 70, reason: 'Error' })), { type: 'status', code: 70, at });
  t.same(exitOf(ended({ exitCode: 137, reason: 'OOMKilled' })), { type: 'out-of-memory', at });
  t.same(exitOfGone(pod({ phase: 'Running', ...RUNNING })), { type: 'removed', at: null });
  t.same(exitOfGone(ended({ exitCode: 0 })), { type: 'status', code: 0, at });
});

t.test('a Pod whose network cannot be closed says so', async t => {
  const filter = { name: 'filter', state: { terminated: { exitCode: 127, reason: 'Error' } } };
  const failed = pod({ phase: 'Failed', initContainerStatuses: [filter], ...container({ waiting: {} }) });
  t.same(exitOf(failed), {
    type: 'evicted',
    reason: "The session's network could not be closed: its filter ended with status 127.",
    at: null,
  });
});

t.test('what a cluster takes away is told in its words', async t => {
  const evicted = pod({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory. ' });
  t.same(exitOf(evicted), {
    type: 'evicted',
    reason: "The session's node evicted it: The node was low on resource: memory.",
    at: null,
  });
  const preempted = pod({
    phase: 'Running',
    ...RUNNING,
    conditions: [
      READY,
      { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message: 'for x' },
    ],
  });
  t.equal(exitOf(preempted), null, 'it still runs');
  t.match(exitOfGone(preempted), {
    type: 'evicted',
    reason: 'The session made room for something more important: for x.',
  });
  t.match(exitOf(pod({ phase: 'Failed', reason: 'OutOfcpu', message: 'Node did not have enough resource' })), {
    type: 'evicted',
    reason: /^The session's node refused it \(OutOfcpu\): Node did not/,
  });
});

t.test('a node that does not answer is told from a container that is not ready', async t => {
  const notReady = { type: 'Ready', status: 'False', lastTransitionTime: AT };
  const lost = pod({ phase: 'Running', ...RUNNING, conditions: [notReady] });
  t.same(exitOf(lost), { type: 'evicted', reason: "The session's node does not answer any more: node-7.", at });
  t.equal(isRunning(lost), false);
  const starting = pod({ phase: 'Pending', ...container({ waiting: {} }), conditions: [notReady] });
  t.equal(exitOf(starting), null);
});

t.test('a Pod that is told to go runs until then', async t => {
  const status = { phase: 'Running', ...RUNNING, conditions: [READY] };
  t.equal(leavingAt(pod(status)), null);
  t.equal(leavingAt(pod(status, { deletionTimestamp: AT })), at);
  t.equal(leavingAt(pod({ phase: 'Pending' }, { deletionTimestamp: AT })), null);
});

t.test('what waiting does not mend fails at once, what it may mend is told to who waits no longer', async t => {
  const waiting = (reason: string, message?: string) =>
    pod({ phase: 'Pending', ...container({ waiting: { reason, message } }) });
  t.match(failureOf(waiting('ImagePullBackOff', 'Back-off pulling image "x"')), {
    failure: 'refused',
    message: 'The image cannot be pulled: Back-off pulling image "x".',
  });
  t.match(failureOf(waiting('ErrImageNeverPull')), { message: /^The image is not there/ });
  t.match(failureOf(waiting('CreateContainerError', 'cannot load seccomp profile "/x"')), {
    failure: 'unfit',
    message: /cannot load seccomp profile.*BERTH_KUBERNETES_SECCOMP\.$/,
  });
  t.equal(failureOf(waiting('ContainerCreating')), null);
  t.match(failureOf(waiting('ErrImagePull', 'no such host')), { message: 'The image cannot be pulled: no such host.' });
  const pulling = { name: 'filter', state: { waiting: { reason: 'ErrImagePull', message: 'no such host' } } };
  t.match(failureOf(pod({ initContainerStatuses: [pulling] })), { message: /cannot be pulled: no such host/ });
  const filter = pod({ initContainerStatuses: [{ name: 'filter', state: { terminated: { exitCode: 1 } } }] });
  t.match(failureOf(filter), { message: /network could not be closed/ });
  const unscheduled = {
    type: 'PodScheduled',
    status: 'False',
    message: '0/3 nodes are available: 3 Insufficient cpu.',
  };
  t.match(delayOf(pod({ phase: 'Pending', conditions: [unscheduled] })), {
    failure: 'full',
    message: 'No node has room for the session: 0/3 nodes are available: 3 Insufficient cpu.',
  });
  t.equal(delayOf(pod({ phase: 'Pending' })), null);
});
