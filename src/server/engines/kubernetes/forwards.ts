import type { KubeConfig, PortForward } from '@kubernetes/client-node';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import type { ErrorEvent, WebSocket } from 'ws';
import { AGENT_PORT } from '../../../protocol/message-type.js';

interface Forward {
  server: Server;
  sockets: Set<Socket>;
  port: Promise<number>;
}

/**
 * Port forwards to agents through the API server, for a service outside of the cluster: for each Pod a listener on the
 * loopback interface. All media goes through the API server then, which is not made for that.
 */
export class Forwards {
  readonly #client: PortForward;
  readonly #namespace: string;
  readonly #open = new Map<string, Forward>();

  private constructor(client: PortForward, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  static async open(config: KubeConfig, namespace: string): Promise<Forwards> {
    const { PortForward } = await import('./library.js');
    return new Forwards(new PortForward(config), namespace);
  }

  /** Whether the API server allows port forwards, tested with a Pod that does not exist. @throws a connection error */
  async isAllowed(): Promise<boolean> {
    const nothing = new PassThrough();
    try {
      const tunnel = await this.#client.portForward(this.#namespace, 'none', [AGENT_PORT], nothing, null, nothing);
      (tunnel as WebSocket).close();
      return true;
    } catch (error) {
      // Authorization comes first: only callers with the right are told that the Pod does not exist.
      const status = /server response: (\d+)/.exec((error as ErrorEvent).message)?.[1];
      if (status === '404') return true;
      if (status === '403') return false;
      throw new Error(`The API server cannot be asked for a forward: ${(error as ErrorEvent).message}.`, {
        cause: error,
      });
    }
  }

  /** Loopback port that is forwarded to a Pod's agent, until `close`. */
  port(pod: string): Promise<number> {
    let forward = this.#open.get(pod);
    if (forward === undefined) {
      const sockets = new Set<Socket>();
      const server = createServer({ allowHalfOpen: false, noDelay: true }, socket => {
        sockets.add(socket);
        socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
        void this.#forward(pod, socket);
      });
      // A listener alone must not keep the process running.
      server.unref();
      const port = once(server.listen(0, '127.0.0.1'), 'listening').then(() => (server.address() as AddressInfo).port);
      forward = { server, sockets, port };
      this.#open.set(pod, forward);
    }
    return forward.port;
  }

  /** The loopback ports of all listeners. */
  ports(): Promise<number[]> {
    return Promise.all([...this.#open.values()].map(({ port }) => port));
  }

  close(pod: string): void {
    const forward = this.#open.get(pod);
    if (forward === undefined) return;
    this.#open.delete(pod);
    forward.server.close();
    for (const socket of forward.sockets) socket.destroy();
  }

  async #forward(pod: string, socket: Socket): Promise<void> {
    // The channel for errors stays empty unless the connection failed.
    const errors = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (chunk.length > 0) socket.destroy();
        done();
      },
    });
    try {
      const forward = this.#client.portForward(this.#namespace, pod, [AGENT_PORT], socket, errors, socket);
      const tunnel = (await forward) as WebSocket;
      tunnel.onclose = () => socket.destroy();
      tunnel.onerror = () => socket.destroy();
      socket.on('close', () => tunnel.close());
      if (socket.destroyed) tunnel.close();
    } catch {
      socket.destroy();
    }
  }
}
