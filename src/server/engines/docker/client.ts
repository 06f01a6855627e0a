import Docker from 'dockerode';
import type { DockerAddress } from '../../config/index.js';
import { EngineError } from '../engine.js';

/** Opens a client; nothing is sent yet. */
export function dockerClient(address: DockerAddress): Docker {
  // The client takes what it is not told from DOCKER_HOST, which is for the tools beside the service.
  if (address.transport === 'unix') return new Docker({ host: undefined, socketPath: address.path });
  const { host, port, tls } = address;
  return new Docker({ protocol: tls ? 'https' : 'http', host, port, ...tls });
}

interface DockerFailure extends Error {
  statusCode?: number;
  code?: string;
  json?: { message?: string };
}

/** Status of an error answer of the engine; undefined where it did not answer at all. */
export function statusOf(error: unknown): number | undefined {
  return (error as DockerFailure | undefined)?.statusCode;
}

/** Translates what the client throws. An abort passes as it is. */
export function engineError(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof EngineError) return error;
  const failure = error as DockerFailure;
  const status = statusOf(error);
  if (failure.name === 'TimeoutError' || failure.name === 'AbortError') {
    return new EngineError(
      'unavailable',
      'The container engine did not answer in time; look at its log and at the load of its machine.',
      error,
    );
  }
  if (status === undefined) {
    return new EngineError(
      'unavailable',
      `The container engine cannot be reached (${failure.code ?? failure.message}).`,
      error,
    );
  }
  return new EngineError(
    'refused',
    `The container engine answered: ${failure.json?.message ?? failure.message}`,
    error,
  );
}

/** Awaits an engine call where some failures are fine: "not there" (404) and "being removed already" (409). */
export async function tolerant(call: Promise<unknown>, ...fine: number[]): Promise<void> {
  try {
    await call;
  } catch (error) {
    const accepted = fine.length > 0 ? fine : [404, 409];
    if (!accepted.includes(statusOf(error) ?? 0)) throw error;
  }
}

/** Makes a container; a missing image is told as such. */
export async function createContainer(docker: Docker, spec: Docker.ContainerCreateOptions): Promise<Docker.Container> {
  try {
    return await docker.createContainer(spec);
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    throw new EngineError('refused', `The image ${spec.Image ?? ''} is not there; build it with make images.`, error);
  }
}

/** Rejects unless the engine answers within `ms` milliseconds. */
export async function ping(docker: Docker, ms: number): Promise<void> {
  // The type declarations lack the options of ping.
  const call = docker.ping as (options: { abortSignal: AbortSignal }) => Promise<unknown>;
  await call.call(docker, { abortSignal: AbortSignal.timeout(ms) });
}
