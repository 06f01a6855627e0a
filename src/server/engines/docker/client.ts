import Docker from 'dockerode';
import type { DockerAddress } from '../../config/index.js';
import { EngineError } from '../engine.js';

/** Opens a client; sends nothing yet. */
export function dockerClient(address: DockerAddress): Docker {
  // The client takes missing options from DOCKER_HOST, which is meant for other tools.
  if (address.transport === 'unix') return new Docker({ host: undefined, socketPath: address.path });
  const { host, port, tls } = address;
  return new Docker({ protocol: tls ? 'https' : 'http', host, port, ...tls });
}

interface DockerFailure extends Error {
  statusCode?: number;
  code?: string;
  json?: { message?: string };
}

/** HTTP status of an engine's error response; undefined if it did not respond. */
export function statusOf(error: unknown): number | undefined {
  return (error as DockerFailure | undefined)?.statusCode;
}

/** Translates errors of the Docker client. Aborts pass unchanged. */
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

/** Whether a container could not be had because its network is not there. */
export function isNetworkMissing(error: unknown): boolean {
  return statusOf(error) !== undefined && /\bnetwork \S+ not found/.test((error as DockerFailure).message);
}

/** Awaits an engine call, tolerating "not found" (404) and "removal already in progress" (409). */
export async function tolerant(call: Promise<unknown>, ...fine: number[]): Promise<void> {
  try {
    await call;
  } catch (error) {
    const accepted = fine.length > 0 ? fine : [404, 409];
    if (!accepted.includes(statusOf(error) ?? 0)) throw error;
  }
}

/** Creates a container, with a clear error for a missing image. */
export async function createContainer(docker: Docker, spec: Docker.ContainerCreateOptions): Promise<Docker.Container> {
  try {
    return await docker.createContainer(spec);
  } catch (error) {
    if (statusOf(error) !== 404 || isNetworkMissing(error)) throw error;
    throw new EngineError('refused', `The image ${spec.Image ?? ''} is not there; ${remedy(spec.Image)}.`, error);
  }
}

/** Says what to do about a missing image. */
function remedy(image = ''): string {
  if (/\/android-device:/.test(image)) return 'build it with make image-android-device';
  if (/\/android:/.test(image))
    return 'it has an emulator, which make image-android ACCEPT_ANDROID_LICENSE=yes builds; BERTH_ANDROID_DEVICES=adb uses devices instead';
  return 'build it with make images';
}

/** Rejects if the engine does not answer within `ms` milliseconds. */
export async function ping(docker: Docker, ms: number): Promise<void> {
  // The type declarations lack ping's options.
  const call = docker.ping as (options: { abortSignal: AbortSignal }) => Promise<unknown>;
  await call.call(docker, { abortSignal: AbortSignal.timeout(ms) });
}
