import type { V1Pod } from '@kubernetes/client-node';
import { ApiError } from './client.js';
import type { Cluster } from './cluster.js';
import { Annotation } from './names.js';
import { basePod, restricted, helperContainer, type PodSettings, SESSION } from './pod-spec.js';
import { waitForPod } from './pod-wait.js';
import type { PodWatch } from './pod-watch.js';

const PORT = 7001;

/** How long a verification counts for further starts of the service. */
const PROOF_MS = 86_400_000;

/** Accepts connections, and closes them at once. */
const PROGRAM = `require('net').createServer(s => s.on('error', () => {}).end()).listen(${PORT})`;

const isUp = ({ metadata, status }: V1Pod): boolean =>
  metadata?.deletionTimestamp === undefined &&
  status?.podIP !== undefined &&
  status.containerStatuses?.find(({ name }) => name === SESSION)?.state?.running !== undefined;

export interface RunningCanary {
  /** Address and port, `host:port`. */
  address: string;
  /** Hash of the latest verification that used it; null: there is none, or it is too old. */
  proof: string | null;
}

/** A Pod with a private address that sessions must not reach. Each session tries to, once, when it starts. */
export class Canary {
  readonly #cluster: Cluster;
  readonly #settings: PodSettings;
  readonly #name: string;

  constructor(cluster: Cluster, settings: PodSettings) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#name = `${settings.names.instance}-canary`;
  }

  /** Creates the Pod unless it is running. @throws EngineError, ApiError, or a connection error */
  async ensure(pods: PodWatch, signal: AbortSignal): Promise<RunningCanary> {
    const found = await this.#cluster.read(this.#name, signal);
    if (found !== null && isUp(found)) return { address: addressOf(found), proof: proofOn(found) };
    if (found !== null) await this.#cluster.remove(this.#name, 0);
    try {
      await this.#cluster.create(this.#pod(), signal);
    } catch (error) {
      // That of another region or replica serves as well.
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
    return { address: addressOf(await waitForPod(pods, this.#name, isUp, signal)), proof: null };
  }

  /** Records a successful verification on the Pod, for the next start of a service. */
  async saveProof(proof: string): Promise<void> {
    await this.#cluster.annotate(this.#name, { [Annotation.proof]: `${proof} ${Date.now()}` });
  }

  async remove(): Promise<void> {
    await this.#cluster.remove(this.#name, 0);
  }

  #pod(): V1Pod {
    const pod = basePod(this.#name, 'canary', this.#settings);
    const container = helperContainer(this.#settings, ['node', '-e', PROGRAM]);
    return {
      ...pod,
      spec: {
        ...pod.spec,
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 0,
        containers: [{ ...container, securityContext: restricted(this.#settings) }],
      },
    };
  }
}

function proofOn({ metadata }: V1Pod): string | null {
  const [proof = '', at = ''] = metadata?.annotations?.[Annotation.proof]?.split(' ') ?? [];
  return Date.now() - Number(at) < PROOF_MS ? proof : null;
}

function addressOf({ status }: V1Pod): string {
  const address = status?.podIP ?? '';
  return `${address.includes(':') ? `[${address}]` : address}:${PORT}`;
}
