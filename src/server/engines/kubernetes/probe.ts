import type { V1Pod } from '@kubernetes/client-node';
import { randomBytes } from 'node:crypto';
import { EngineError } from '../engine.js';
import type { Cluster } from './cluster.js';
import type { Role } from './names.js';
import { basePod, closed, filterContainer, helperContainer, SESSION, type PodSettings } from './pod-spec.js';
import { millis } from './pod-state.js';
import { podThat } from './pod-wait.js';
import type { PodWatch } from './pod-watch.js';
import { asking, STATUS } from './probe-program.js';

/** Probes that a killed service left behind are older than this. */
const LEFT_OVER_MS = 300_000;

/** Seconds after which a probe is ended, its image's pull not counted. */
const DEADLINE_S = 60;

/** What Chromium's own sandbox begins with. */
const SANDBOX = `unshare --user true 2>/dev/null || exit ${STATUS.noSandbox}`;

/** Tries what a cluster promises, by Pods that are removed again. */
export class Probe {
  readonly #cluster: Cluster;
  readonly #settings: PodSettings;
  readonly #pods: PodWatch;
  readonly #made: string[] = [];

  /** `pods`: knows the helper Pods, and runs. */
  constructor(cluster: Cluster, settings: PodSettings, pods: PodWatch) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#pods = pods;
  }

  /**
   * Proves that Chromium's sandbox can be created, and that a Pod like a session's does not reach the canary, while
   * another one does, and reaches name servers where that one does. `canary` null: nothing is closed.
   * @throws EngineError saying what to do
   */
  async prove(canary: string | null, signal: AbortSignal): Promise<void> {
    try {
      await this.#sweep(signal);
      if (canary === null) return this.#judge(await this.#run('probe', SANDBOX, signal));
      const control = await this.#run('control', asking({ canary, isOpen: true, names: false }), signal);
      if (control !== STATUS.ok && control !== STATUS.nameless) {
        throw new EngineError(
          'refused',
          'Pods in the namespace of sessions cannot reach each other even without the policy, so nothing can be proven; ' +
            'allow Pods with the label berth.role=control to reach those with berth.role=canary.',
        );
      }
      // Clusters without name servers are no matter of what is closed.
      const names = control === STATUS.ok;
      this.#judge(await this.#run('probe', `${SANDBOX}; ${asking({ canary, isOpen: false, names })}`, signal));
    } finally {
      await Promise.allSettled(this.#made.map(name => this.#cluster.remove(name, 0)));
    }
  }

  #judge(status: number): void {
    const { seccomp, egress } = this.#settings.kubernetes;
    switch (status) {
      case STATUS.ok:
        return;
      case STATUS.noSandbox:
        throw new EngineError(
          'unfit',
          `Chromium cannot create its own sandbox in this cluster (system call filter: ${seccomp.type}), and never runs ` +
            'without; install the filter that the chart brings, set BERTH_KUBERNETES_SECCOMP=Localhost/berth/session.json, ' +
            'and check that the nodes allow user namespaces.',
        );
      case STATUS.reached:
        throw new EngineError(
          'refused',
          egress === 'policy'
            ? "The cluster's network plugin does not enforce network policies: a Pod reached an address that was closed to it. " +
                'Use a plugin that does, or set BERTH_KUBERNETES_EGRESS=filter.'
            : 'A Pod reached a private address although its packet filter was set.',
        );
      case STATUS.late:
        throw new EngineError(
          'refused',
          "The cluster's network plugin enforces network policies only some time after a Pod has started: a Pod reached an " +
            'address that was closed to it. Set BERTH_KUBERNETES_EGRESS=filter.',
        );
      case STATUS.noNames:
        throw new EngineError(
          'refused',
          "A Pod that is closed like a session's gets no answer of the cluster's name servers, while others do, so sessions " +
            `would resolve no name. ${
              egress === 'policy'
                ? 'Set BERTH_KUBERNETES_NAME_SERVERS to the addresses in /etc/resolv.conf of a Pod there, or of what answers ' +
                  'behind them, or set BERTH_KUBERNETES_EGRESS=filter.'
                : 'Look at the nameserver lines in /etc/resolv.conf of a Pod there: the packet filter opens port 53 of these.'
            }`,
        );
      default:
        throw new EngineError('refused', `A probe in the cluster ended with status ${status}.`);
    }
  }

  /** Runs a script where sessions run, with their rights and no others, to its end: its status. */
  async #run(role: Role, script: string, signal: AbortSignal): Promise<number> {
    const name = `${this.#settings.names.instance}-${role}-${randomBytes(4).toString('hex')}`;
    this.#made.push(name);
    await this.#cluster.create(this.#pod(name, role, script), signal);
    const pod = await podThat(this.#pods, name, each => statusOf(each) !== undefined, signal);
    return statusOf(pod) ?? -1;
  }

  #pod(name: string, role: Role, script: string): V1Pod {
    const pod = basePod(name, role, this.#settings);
    const container = helperContainer(this.#settings, ['/bin/sh', '-c', script]);
    const { filter } = this.#settings;
    const isClosed = role === 'probe' && filter !== null;
    return {
      ...pod,
      spec: {
        ...pod.spec,
        activeDeadlineSeconds: DEADLINE_S,
        terminationGracePeriodSeconds: 0,
        volumes: [{ name: 'run', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
        ...(isClosed ? { initContainers: [filterContainer(container.image, filter)] } : {}),
        containers: [{ ...container, securityContext: closed(this.#settings) }],
      },
    };
  }

  /** Removes what a killed service has left. */
  async #sweep(signal: AbortSignal): Promise<void> {
    const { pods } = await this.#pods.list(signal);
    const old = pods.filter(
      ({ metadata }) =>
        metadata?.labels?.['berth.role'] !== 'canary' &&
        Date.now() - (millis(metadata?.creationTimestamp) ?? 0) > LEFT_OVER_MS,
    );
    await Promise.all(old.map(({ metadata }) => this.#cluster.remove(metadata?.name ?? '', 0)));
  }
}

const statusOf = ({ status }: V1Pod): number | undefined =>
  status?.containerStatuses?.find(({ name }) => name === SESSION)?.state?.terminated?.exitCode;
