import type Docker from 'dockerode';
import type { Exit } from '../engine.js';
import { statusOf } from './client.js';

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
