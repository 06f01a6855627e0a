import type { V1Pod } from '@kubernetes/client-node';
import { randomBytes } from 'node:crypto';
import { EngineError } from '../engine.js';
import type { Cluster } from './cluster.js';
import type { Role } from './names.js';
import { basePod, closed, filterContainer, helperContainer, SESSION, type PodSettings } from './pod-spec.js';
import { millis } from './pod-state.js';
import { podThat } from './pod-wait.js';
import type { PodWatch } from './pod-watch.js';

/** Probes that a killed service left behind are older than this. */
const LEFT_OVER_MS = 300_000;

/** Seconds after which a probe is ended, its image's pull not counted. */
const DEADLINE_S = 60;

/** Exit statuses of probes. */
const STATUS = { ok: 0, reached: 3, unreached: 4, late: 5, noSandbox: 6 } as const;

/**
 * Connects to the canary for some seconds. One that must reach it ends as soon as it has. One that must not ends by
 * whether it never did, did to the end, or did at first only.
 */
const ask = (canary: string, must: boolean) => `
const { hostname, port } = new URL('tcp://${canary}');
const attempt = () => new Promise(done => {
  const socket = require('net').connect({ host: hostname.replace(/^\\[|\\]$/g, ''), port: Number(port) });
  const end = reached => { socket.destroy(); done(reached); };
  socket.on('connect', () => end(true)).on('error', () => end(false)).setTimeout(1000, () => end(false));
});
(async () => {
  const tries = [];
  for (let i = 0; i < ${must ? 20 : 8}; i++) {
    tries.push(await attempt());
    if (${must} && tries[i]) process.exit(${STATUS.ok});
    await new Promise(done => setTimeout(done, 250));
  }
  if (${must}) process.exit(${STATUS.unreached});
  process.exit(tries.pop() ? ${STATUS.reached} : tries.includes(true) ? ${STATUS.late} : ${STATUS.ok});
})();`;

/** What Chromium's own sandbox begins with. */
const SANDBOX = `unshare --user true 2>/dev/null || exit ${STATUS.noSandbox}`;

const node = (program: string) => `exec node -e '${program.replaceAll("'", "'\\''")}'`;

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
   * another one does. `canary` null: nothing is closed.
   * @throws EngineError saying what to do
   */
  async prove(canary: string | null, signal: AbortSignal): Promise<void> {
    try {
      await this.#sweep(signal);
      if (canary === null) return this.#judge(await this.#run('probe', SANDBOX, signal));
      if ((await this.#run('control', node(ask(canary, true)), signal)) !== STATUS.ok) {
        throw new EngineError(
          'refused',
          'Pods in the namespace of sessions cannot reach each other even without the policy, so nothing can be proven; ' +
            'allow Pods with the label berth.role=control to reach those with berth.role=canary.',
        );
      }
      this.#judge(await this.#run('probe', `${SANDBOX}; ${node(ask(canary, false))}`, signal));
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
