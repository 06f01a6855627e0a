import type { V1Pod } from '@kubernetes/client-node';
import { randomBytes } from 'node:crypto';
import { withDeadline } from '../../lib/deadline.js';
import { EngineError } from '../engine.js';
import { Label } from '../labels.js';
import type { Cluster } from './cluster.js';
import type { Names, Role } from './names.js';
import { basePod, closed, filterContainer, SESSION, type PodSettings } from './pod-spec.js';
import { delayOf, failureOf, millis } from './pod-state.js';
import { PodWatch } from './pod-watch.js';

/** How long all probes together may take, their images' first pull included. */
const TIMEOUT_MS = 110_000;

/** Probes that a killed service left behind are older than this. */
const LEFT_OVER_MS = 300_000;

const CANARY_PORT = 7001;

/** Statuses of probes. */
const STATUS = { ok: 0, reached: 3, unreached: 4, late: 5, noSandbox: 6 } as const;

/** Answers whoever asks, until it is ended. */
const CANARY = `require('net').createServer(s=>s.on('error',()=>{}).end('here')).listen(${CANARY_PORT})`;

/**
 * Asks the canary for some seconds. Status of one that must reach it, as soon as it has; of one that must not: whether it
 * never did, did to the end, or did at first only.
 */
const ask = (address: string, must: boolean) => `
const { connect } = require('net');
const tries = [];
const attempt = () => new Promise(done => {
  const socket = connect({ host: '${address}', port: ${CANARY_PORT} });
  const end = reached => { socket.destroy(); done(reached); };
  socket.on('connect', () => end(true)).on('error', () => end(false)).setTimeout(1000, () => end(false));
});
(async () => {
  for (let i = 0; i < ${must ? 20 : 8}; i++) {
    tries.push(await attempt());
    if (${must} && tries.at(-1)) process.exit(${STATUS.ok});
    await new Promise(done => setTimeout(done, 250));
  }
  process.exit(${must} ? ${STATUS.unreached} : tries.at(-1) ? ${STATUS.reached} : tries.includes(true) ? ${STATUS.late} : ${STATUS.ok});
})();`;

/** What Chromium's own sandbox begins with. */
const SANDBOX = `unshare --user true 2>/dev/null || exit ${STATUS.noSandbox}`;

const node = (program: string) => `exec node -e ${quoted(program)}`;
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A Pod that runs a script where sessions run, with their rights and no others. */
function probePod(name: string, role: Role, script: string, settings: PodSettings): V1Pod {
  const pod = basePod(name, role, settings);
  const image = settings.kubernetes.images['chromium'] ?? '';
  const filter = role === 'probe' ? settings.filter : null;
  return {
    ...pod,
    spec: {
      ...pod.spec,
      activeDeadlineSeconds: Math.ceil(TIMEOUT_MS / 1000),
      terminationGracePeriodSeconds: 0,
      volumes: [{ name: 'run', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
      ...(filter === null ? {} : { initContainers: [filterContainer(image, filter)] }),
      containers: [
        {
          name: SESSION,
          image,
          imagePullPolicy: 'IfNotPresent',
          workingDir: '/',
          command: ['/bin/sh', '-c', script],
          resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '1', memory: '128Mi' } },
          securityContext: closed(settings),
        },
      ],
    },
  };
}

/** Tries what a cluster promises, with Pods that are removed again. */
export class Probe {
  readonly #cluster: Cluster;
  readonly #settings: PodSettings;
  readonly #pods: PodWatch;
  readonly #made: string[] = [];

  constructor(cluster: Cluster, names: Names, settings: PodSettings) {
    this.#cluster = cluster;
    this.#settings = settings;
    const selector = `${Label.instance}=${names.instance},${Label.role} in (canary,control,probe)`;
    this.#pods = new PodWatch(cluster.api, settings.kubernetes.namespace, selector);
  }

  /**
   * Proves that Chromium's sandbox can be made, and, if `isPrivate`, that a Pod like a session's does not reach a
   * private address which other Pods do.
   * @throws EngineError saying what to do
   */
  async prove(isPrivate: boolean): Promise<void> {
    const signal = withDeadline(TIMEOUT_MS);
    // Keeps the watch going between one wait and the next.
    const stop = this.#pods.listen({ connected() {}, disconnected() {}, changed() {}, gone() {} });
    try {
      await this.#sweep(signal);
      if (!isPrivate) return this.#judge(await this.#run('probe', SANDBOX, signal));
      const canary = await this.#make('canary', node(CANARY), signal);
      const address = (await this.#until(canary, signal, isUp)).status?.podIP ?? '';
      const control = await this.#run('control', node(ask(address, true)), signal);
      if (control !== STATUS.ok) {
        throw new EngineError(
          'refused',
          'Pods in the namespace of sessions cannot reach each other even without a policy of ours, so nothing can be proven; ' +
            'allow Pods with the label berth.role=control to reach those with berth.role=canary.',
        );
      }
      this.#judge(await this.#run('probe', `${SANDBOX}; ${node(ask(address, false))}`, signal));
    } finally {
      stop();
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
          `Chromium could not make its own sandbox in this cluster (system call filter: ${seccomp.type}), and never runs ` +
            'without; install the filter that the chart brings and set BERTH_KUBERNETES_SECCOMP=Localhost/berth/session.json, ' +
            'and see that the nodes allow user namespaces.',
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

  /** Runs a script to its end: its status. */
  async #run(role: Role, script: string, signal: AbortSignal): Promise<number> {
    const pod = await this.#until(await this.#make(role, script, signal), signal, each => statusOf(each) !== undefined);
    return statusOf(pod) ?? -1;
  }

  async #make(role: Role, script: string, signal: AbortSignal): Promise<string> {
    const name = `${this.#cluster.names.instance}-${role}-${randomBytes(4).toString('hex')}`;
    this.#made.push(name);
    await this.#cluster.create(probePod(name, role, script, this.#settings), signal);
    return name;
  }

  /** Waits for a state of a Pod. @throws EngineError where that does not come any more */
  async #until(name: string, signal: AbortSignal, isIt: (pod: V1Pod) => boolean): Promise<V1Pod> {
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
            reject(
              new EngineError('refused', `A probe in the cluster failed: ${pod.status.message ?? 'no reason given'}.`),
            );
        };
        const late = () => {
          const delay = last === undefined ? null : delayOf(last);
          reject(delay ?? new EngineError('unavailable', "The cluster's probes did not end in time."));
        };
        signal.addEventListener('abort', late, { once: true });
        stop = this.#pods.listen({ connected() {}, disconnected() {}, changed: look, gone() {} });
        const known = this.#pods.pods?.get(name);
        if (known !== undefined) look(known);
      });
    } finally {
      stop();
    }
  }

  /** Removes what a killed service has left. */
  async #sweep(signal: AbortSignal): Promise<void> {
    const { pods } = await this.#pods.list(signal);
    const old = pods.filter(({ metadata }) => Date.now() - (millis(metadata?.creationTimestamp) ?? 0) > LEFT_OVER_MS);
    await Promise.all(old.map(({ metadata }) => this.#cluster.remove(metadata?.name ?? '', 0)));
  }
}

const mainOf = ({ status }: V1Pod) => status?.containerStatuses?.find(({ name }) => name === SESSION);

const statusOf = (pod: V1Pod): number | undefined => mainOf(pod)?.state?.terminated?.exitCode;

const isUp = (pod: V1Pod): boolean => pod.status?.podIP !== undefined && mainOf(pod)?.state?.running !== undefined;
