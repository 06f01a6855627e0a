import type { V1Pod } from '@kubernetes/client-node';
import { randomBytes } from 'node:crypto';
import { EngineError } from '../engine.js';
import type { Cluster } from './cluster.js';
import type { Role } from './names.js';
import { basePod, restricted, filterContainer, helperContainer, SESSION, type PodSettings } from './pod-spec.js';
import { millis } from './pod-state.js';
import { waitForPod } from './pod-wait.js';
import type { PodWatch } from './pod-watch.js';
import { probeCommand, STATUS } from './probe-program.js';

/** Probes older than this were left behind by a service that was killed, ms. */
const LEFT_OVER_MS = 300_000;

/** Time limit of a probe without the pull of its image, seconds. */
const DEADLINE_S = 60;

/** Chromium's own sandbox begins by creating a user namespace. */
const SANDBOX = `unshare --user true 2>/dev/null || exit ${STATUS.noSandbox}`;

/** Verifies by short-lived Pods that a cluster isolates sessions and lets Chromium create its sandbox. */
export class Prober {
  readonly #cluster: Cluster;
  readonly #settings: PodSettings;
  readonly #pods: PodWatch;
  readonly #created: string[] = [];

  /** `pods`: a running watch of the helper Pods. */
  constructor(cluster: Cluster, settings: PodSettings, pods: PodWatch) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#pods = pods;
  }

  /**
   * Verifies that Chromium's sandbox can be created, and that a Pod restricted like a session's does not reach the
   * canary, which a Pod without restrictions does, but reaches name servers if the latter does. `canary` null: only the
   * sandbox.
   * @throws EngineError that says what to do
   */
  async verify(canary: string | null, signal: AbortSignal): Promise<void> {
    try {
      await this.#removeLeftovers(signal);
      if (canary === null) return this.#check(await this.#run('probe', SANDBOX, signal));
      const control = await this.#run('control', probeCommand({ canary, isOpen: true, names: false }), signal);
      if (control !== STATUS.ok && control !== STATUS.okWithoutNames) {
        throw new EngineError(
          'refused',
          'Pods in the namespace of sessions cannot reach each other even without the policy, so nothing can be proven; ' +
            'allow Pods with the label berth.role=control to reach those with berth.role=canary.',
        );
      }
      // If name servers do not answer unrestricted Pods either, restrictions are not the cause.
      const names = control === STATUS.ok;
      this.#check(await this.#run('probe', `${SANDBOX}; ${probeCommand({ canary, isOpen: false, names })}`, signal));
    } finally {
      await Promise.allSettled(this.#created.map(name => this.#cluster.remove(name, 0)));
    }
  }

  /** @throws EngineError unless a probe's exit status means success */
  #check(status: number): void {
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

  /** Runs a script in a Pod with a session's rights, on the nodes of sessions, and returns its exit status. */
  async #run(role: Role, script: string, signal: AbortSignal): Promise<number> {
    const name = `${this.#settings.names.instance}-${role}-${randomBytes(4).toString('hex')}`;
    this.#created.push(name);
    await this.#cluster.create(this.#pod(name, role, script), signal);
    const pod = await waitForPod(this.#pods, name, each => statusOf(each) !== undefined, signal);
    return statusOf(pod) ?? -1;
  }

  #pod(name: string, role: Role, script: string): V1Pod {
    const pod = basePod(name, role, this.#settings);
    const container = helperContainer(this.#settings, ['/bin/sh', '-c', script]);
    const { filter } = this.#settings;
    const isFiltered = role === 'probe' && filter !== null;
    return {
      ...pod,
      spec: {
        ...pod.spec,
        activeDeadlineSeconds: DEADLINE_S,
        terminationGracePeriodSeconds: 0,
        volumes: [{ name: 'run', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
        ...(isFiltered ? { initContainers: [filterContainer(container.image, filter)] } : {}),
        containers: [{ ...container, securityContext: restricted(this.#settings) }],
      },
    };
  }

  /** Removes probes left behind by a service that was killed. */
  async #removeLeftovers(signal: AbortSignal): Promise<void> {
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
