import type Docker from 'dockerode';
import { EngineError } from '../engine.js';
import { createContainer, tolerant } from './client.js';
import { Label, type Names } from './names.js';

/** A short-lived container that runs a script on the engine's host. */
export interface HelperRun {
  image: string;
  names: Names;
  /** Shell script. */
  script: string;
  /** `host` can change the host's packet filter; `bridge` has the same view as any container. */
  network: 'host' | 'bridge';
}

/** Runs a helper and returns its output. @throws EngineError if its exit status is not 0 */
export async function runHelper(docker: Docker, run: HelperRun): Promise<string> {
  const container = await createContainer(docker, {
    Image: run.image,
    Entrypoint: ['/bin/sh', '-c'],
    Cmd: [run.script],
    User: '0:0',
    Tty: true,
    Labels: { ...run.names.labels, [Label.role]: 'helper' },
    HostConfig: {
      NetworkMode: run.network,
      CapDrop: ['ALL'],
      CapAdd: run.network === 'host' ? ['NET_ADMIN', 'NET_RAW'] : [],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      Tmpfs: { '/run': 'rw,nosuid,nodev,noexec,size=1m' },
      Memory: 64 * 1024 * 1024,
      PidsLimit: 32,
      RestartPolicy: { Name: 'no' },
    },
  });
  try {
    await container.start();
    const { StatusCode: status } = (await container.wait()) as { StatusCode: number };
    const output = String(await container.logs({ stdout: true, stderr: true })).replaceAll('\r', '');
    if (status === 0) return output;
    throw new EngineError('refused', `A helper container ended with status ${status}: ${output.trim().slice(-500)}`);
  } finally {
    await tolerant(container.remove({ force: true, v: true }));
  }
}

/** Helpers older than this are leftovers. Younger ones of other services that share the instance are left running. */
const HELPER_MAX_AGE_MS = 120_000;

/** Removes helpers left behind by a killed service; `own`: also recent ones for the same store. */
export async function removeHelpers(docker: Docker, names: Names, { own = false } = {}): Promise<void> {
  const left = await docker.listContainers({
    all: true,
    filters: { label: [`${Label.instance}=${names.instance}`, `${Label.role}=helper`] },
  });
  const over = left.filter(({ Created, Labels }) => {
    const isOwn = Labels[Label.store] === names.labels[Label.store];
    return (own && isOwn) || Date.now() - Created * 1000 > HELPER_MAX_AGE_MS;
  });
  await Promise.all(over.map(({ Id }) => tolerant(docker.getContainer(Id).remove({ force: true, v: true }))));
}
