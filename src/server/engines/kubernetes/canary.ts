import type { V1Pod } from '@kubernetes/client-node';
import { ApiError } from './client.js';
import type { Cluster } from './cluster.js';
import { basePod, closed, helperContainer, type PodSettings, SESSION } from './pod-spec.js';
import { podThat } from './pod-wait.js';
import type { PodWatch } from './pod-watch.js';

const PORT = 7001;

/** Accepts connections until it is ended. */
const PROGRAM = `require('net').createServer(s => s.on('error', () => {}).end()).listen(${PORT})`;

const isUp = ({ metadata, status }: V1Pod): boolean =>
  metadata?.deletionTimestamp === undefined &&
  status?.podIP !== undefined &&
  status.containerStatuses?.find(({ name }) => name === SESSION)?.state?.running !== undefined;

/** A Pod with a private address that sessions must not reach: they try once each, when they start. */
export class Canary {
  readonly #cluster: Cluster;
  readonly #settings: PodSettings;
  readonly #name: string;

  constructor(cluster: Cluster, settings: PodSettings) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#name = `${settings.names.instance}-canary`;
  }

  /** Its address and port, `host:port`; creates it unless it runs. @throws EngineError, ApiError */
  async ensure(pods: PodWatch, signal: AbortSignal): Promise<string> {
    const found = await this.#cluster.read(this.#name, signal);
    if (found !== null && isUp(found)) return addressOf(found);
    if (found !== null) await this.#cluster.remove(this.#name, 0);
    try {
      await this.#cluster.create(this.#pod(), signal);
    } catch (error) {
      // Another region's, or another replica's, is the same.
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
    return addressOf(await podThat(pods, this.#name, isUp, signal));
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
        containers: [{ ...container, securityContext: closed(this.#settings) }],
      },
    };
  }
}

function addressOf({ status }: V1Pod): string {
  const address = status?.podIP ?? '';
  return `${address.includes(':') ? `[${address}]` : address}:${PORT}`;
}
