import { once } from 'node:events';
import { WebSocket } from 'ws';
import { LINK_PATH } from '../../src/protocol/message-type.js';
import { connectAgent, type AgentAddress } from '../../src/server/agent-link/agent-connection.js';
import type { Scope } from './scope.js';

const TIMEOUT_MS = 5000;

/** A link to an agent without a hub, for comparison. */
export interface Direct {
  /** Called with each message of the agent, without its envelope. */
  onMessage: (message: Buffer) => void;
  send(message: Uint8Array): void;
}

export async function connectDirect(scope: Scope, address: AgentAddress): Promise<Direct> {
  const { socket: connection, authorization } = await connectAgent(address, TIMEOUT_MS);
  const socket = new WebSocket(`ws://agent${LINK_PATH}`, {
    createConnection: () => connection,
    headers: { authorization },
    perMessageDeflate: false,
  });
  scope.teardown(() => socket.terminate());
  await once(socket, 'open');
  const direct: Direct = {
    onMessage: () => {},
    send: message => socket.send(Buffer.concat([Buffer.alloc(4), message])),
  };
  socket.on('message', (data, isBinary) => {
    if (isBinary) direct.onMessage((data as Buffer).subarray(4));
  });
  // It watches, so that the agent streams to this link too.
  direct.send(Uint8Array.of(0x32, 1, 0));
  return direct;
}
