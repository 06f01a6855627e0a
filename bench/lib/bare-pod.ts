import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ApiServer, kubeConfig } from '../../src/server/engines/kubernetes/client.js';
import type { TestCluster } from '../../test/fixtures/kubernetes/cluster.js';
import { bareArguments, LONGEST_MS, painted, type BrowserCommand } from './bare.js';
import type { Scene } from './chromium.js';
import { docker } from './docker.js';

const run = promisify(execFile);

/** A folder of nodes, which is a volume of their containers and so can be looked into from outside. */
const FOLDER = '/var/lib/kubelet';
const STOP_MS = 10_000;

/** Starts Pods of Chromium's image without Berth: an X server and the browser. */
export class BarePods {
  readonly #cluster: TestCluster;
  readonly #api: ApiServer;
  /** Where the node's FOLDER is on this machine. */
  readonly #place: string;
  #started = 0;

  private constructor(cluster: TestCluster, api: ApiServer, place: string) {
    this.#cluster = cluster;
    this.#api = api;
    this.#place = place;
  }

  static async open(cluster: TestCluster): Promise<BarePods> {
    const [node = ''] = cluster.nodes;
    const format = `{{range .Mounts}}{{if eq .Destination "${FOLDER}"}}{{.Source}}{{end}}{{end}}`;
    return new BarePods(
      cluster,
      new ApiServer(await kubeConfig(null)),
      await docker('inspect', node, '--format', format),
    );
  }

  /** Milliseconds from the request to the first picture, which is detected from outside through the X server's socket. */
  async start(scene: Scene, browser: BrowserCommand, colour: readonly number[]): Promise<number> {
    const { images, namespace } = this.#cluster;
    const name = `bare-${++this.#started}`;
    await run('install', ['-d', '-m', '1777', `${this.#place}/${name}`]);
    const memory = { emptyDir: { medium: 'Memory' } };
    const places = { home: '/home/berth', shm: '/dev/shm', x: '/tmp/.X11-unix' };
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        nodeSelector: { 'kubernetes.io/hostname': 'node1' },
        volumes: [
          { name: 'home', ...memory },
          { name: 'shm', ...memory },
          { name: 'x', hostPath: { path: `${FOLDER}/${name}` } },
        ],
        containers: [
          {
            name: 'bare',
            image: images.chromium,
            imagePullPolicy: 'Never',
            command: ['sh', ...bareArguments(scene, browser)],
            env: [{ name: 'DISPLAY', value: ':0' }],
            securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'berth/session.json' } },
            volumeMounts: Object.entries(places).map(([place, mountPath]) => ({ name: place, mountPath })),
          },
        ],
      },
    };
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const began = performance.now();
    try {
      await this.#api.call('POST', path, { signal: AbortSignal.timeout(LONGEST_MS), body });
      await painted(`${this.#place}/${name}/X0`, colour, began + LONGEST_MS);
      return performance.now() - began;
    } finally {
      const now = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
      await this.#api.call('DELETE', `${path}/${name}`, { signal: AbortSignal.timeout(STOP_MS), body: now });
    }
  }
}
