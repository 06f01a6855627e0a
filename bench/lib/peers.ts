import { readdir } from 'node:fs/promises';
import type { Service } from '../../test/fixtures/services/service.js';
import { endSession, startSession } from './berth.js';
import type { Scene } from './chromium.js';
import { docker } from './docker.js';
import { startVnc } from './novnc.js';
import type { Picture } from './quality.js';
import type { Scope } from './scope.js';
import { hasSelkies, startSelkies } from './selkies.js';
import { coresBetween, processorSeconds, usageOf, type Usage } from './usage.js';
import { XPixels } from './x11.js';

/** What shows a page to a viewer: Berth, or something that Berth is compared with. */
export interface Peer {
  readonly name: string;
  /** Starts a session, which ends with the scope. */
  start(scope: Scope, scene: Scene): Promise<{ container: string; url: string }>;
  /** Seconds of processor time of what it needs outside the session's container so far. */
  outside(): Promise<number>;
}

/** All peers that can be started here. */
export async function peersOf(service: Service): Promise<Peer[]> {
  const pid = Number(await service.dataFile('test.pid'));
  const berth: Peer = {
    name: 'Berth',
    async start(scope, scene) {
      const session = await startSession(service, scene);
      scope.teardown(() => endSession(service, session));
      return session;
    },
    outside: () => processorSeconds(pid),
  };
  const outside = () => Promise.resolve(0);
  const peers: Peer[] = [berth, { name: 'noVNC', start: startVnc, outside }];
  if (await hasSelkies()) peers.push({ name: 'Selkies', start: startSelkies, outside });
  else console.log('Selkies is left out: the engine has no image peer/selkies');
  return peers;
}

/** Processor time of a session and its viewer so far. */
export interface Effort {
  container: Usage;
  viewer: Usage;
  outside: number;
}

/** Processor time of a session's container, of what it needs outside, and of the browser that is open. */
export async function effortOf(peer: Peer, container: string): Promise<Effort> {
  const browsers = await docker('ps', '-q', '--filter', `name=berth-test-browser-${process.pid}-`);
  const [browser = ''] = browsers.split('\n');
  return { container: await usageOf(container), viewer: await usageOf(browser), outside: await peer.outside() };
}

/** Cores used between two moments, by the session without its Chromium, by that, and by the viewer. */
export function effortBetween(before: Effort, after: Effort): { server: number; page: number; viewer: number } {
  const used = coresBetween(before.container, after.container);
  const page = used.get('chromium') ?? 0;
  const seconds = (after.container.at - before.container.at) / 1000;
  return {
    server: sum(used.values()) - page + (after.outside - before.outside) / seconds,
    page,
    viewer: sum(coresBetween(before.viewer, after.viewer).values()),
  };
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

/** Rows that are asked of an X server at once: more would not fit into the buffer of its connection. */
const STRIP = 8;

/** The pixels of a container's display, as its X server has them; needs root, and the engine on this machine. */
export async function truthOf(container: string, { width, height }: Scene): Promise<Picture> {
  const pid = await docker('inspect', container, '--format', '{{.State.Pid}}');
  const folder = `/proc/${pid}/root/tmp/.X11-unix`;
  const [socket] = await readdir(folder);
  const screen = await XPixels.connect(`${folder}/${socket}`);
  try {
    const strips: Buffer[] = [];
    for (let y = 0; y < height; y += STRIP) {
      strips.push(await screen.area(0, y, width, Math.min(STRIP, height - y)));
    }
    return { width, height, pixels: Buffer.concat(strips), isBlueFirst: true };
  } finally {
    screen.close();
  }
}
