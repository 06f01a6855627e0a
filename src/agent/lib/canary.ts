import { connect } from 'node:net';

/** Exit status of an agent whose container reaches what must be closed to it; a restart would not help. */
export const EXPOSED = 71;

/** A packet filter drops packets, so that nothing is heard. */
const TIMEOUT_MS = 2000;

/** Whether a TCP connection to `address` (`host:port`, IPv6 in brackets) can be established; never rejects. */
export function reaches(address: string): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${address}`);
  return new Promise(resolve => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
    const end = (does: boolean) => {
      socket.destroy();
      resolve(does);
    };
    socket.on('connect', () => end(true)).on('error', () => end(false));
    socket.setTimeout(TIMEOUT_MS, () => end(false));
  });
}
