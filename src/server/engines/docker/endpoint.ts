import { AGENT_PORT } from '../../../protocol/message-type.js';
import type { Endpoint } from '../engine.js';

/**
 * Where the agent of a container listens: at the container's address for an engine on this host, at its
 * published port for one at the host `remote`. Null where the container has neither, since it does not run.
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
