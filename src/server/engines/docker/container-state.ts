import type Docker from 'dockerode';
import { AGENT_PORT } from '../../../protocol/message-type.js';
import type { Endpoint, Exit } from '../engine.js';
import { statusOf } from './client.js';

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

/** How a stopped container ended; null if it has not run yet, or has been removed meanwhile. */
export async function exitOf(docker: Docker, id: string, timeoutMs: number): Promise<Exit | null> {
  try {
    const { State } = await docker.getContainer(id).inspect({ abortSignal: AbortSignal.timeout(timeoutMs) });
    // The year 1 means "never".
    const at = Date.parse(State.FinishedAt);
    if (!(at > 0)) return null;
    return State.OOMKilled ? { type: 'out-of-memory', at } : { type: 'status', code: State.ExitCode, at };
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
