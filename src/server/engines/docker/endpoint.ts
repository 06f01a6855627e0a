import { AGENT_PORT } from '../../../protocol/message-type.js';
import type { Endpoint } from '../engine.js';

/**
 * Where the agent of a container listens: at the container's address if the engine runs on this host, at its published
 * port if it runs on the host `remote`. Null if the container has neither, since it is not running.
 */
export function endpointOf(
  remote: string | null,
  address: string | undefined,
  published: number | undefined,
  linkVersion: number,
): Endpoint | null {
  if (remote === null) return address ? { host: address, port: AGENT_PORT, linkVersion } : null;
  return published ? { host: remote, port: published, linkVersion } : null;
}
