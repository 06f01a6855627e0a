import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Scope } from './scope.js';

/** A link to an agent without a hub: what the hub is compared with. */
export interface Direct {
  /** Called with each message of the agent, without its envelope. */
  onMessage: (message: Buffer) => void;
  send(message: Uint8Array): void;
}

export async function connectDirect(scope: Scope, url: string, secret: string): Promise<Direct> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${secret}` }, perMessageDeflate: false });
  scope.teardown(() => socket.terminate());
  await once(socket, 'open');
  const direct: Direct = {
    onMessage: () => {},
    send: message => socket.send(Buffer.concat([Buffer.alloc(4), message])),
  };
  socket.on('message', (data, isBinary) => {
    if (isBinary) direct.onMessage((data as Buffer).subarray(4));
  });
  // Watches, so that the agent's stream is on for this link too.
  direct.send(Uint8Array.of(0x32, 1, 0));
  return direct;
}
