import type Docker from 'dockerode';
import { EngineError } from '../engine.js';
import { statusOf, tolerant } from './client.js';
import { Label, type Names } from './names.js';

/** A bridge network of sessions; containers on it cannot reach each other. */
export function networkSpec(names: Pick<Names, 'instance' | 'network' | 'bridge'>) {
  return {
    Name: names.network,
    Driver: 'bridge',
    CheckDuplicate: true,
    EnableIPv6: false,
    Internal: false,
    Attachable: false,
    Labels: { [Label.instance]: names.instance },
    Options: {
      'com.docker.network.bridge.name': names.bridge,
      'com.docker.network.bridge.enable_icc': 'false',
      'com.docker.network.bridge.enable_ip_masquerade': 'true',
    },
  };
}

/** Creates the network, or checks the existing one. @throws EngineError if a different network has its name */
export async function ensureNetwork(
  docker: Docker,
  names: Pick<Names, 'instance' | 'network' | 'bridge'>,
): Promise<void> {
  const wanted = networkSpec(names);
  const found = await inspect(docker, names);
  if (found === null) {
    await tolerant(docker.createNetwork(wanted));
    return;
  }
  const options = found.Options ?? {};
  const fits =
    found.Labels?.[Label.instance] === names.instance &&
    !found.EnableIPv6 &&
    Object.entries(wanted.Options).every(([key, value]) => options[key] === value);
  if (fits) return;
  throw new EngineError(
    'refused',
    `The network ${names.network} is not as this service makes it; remove it, or set another BERTH_INSTANCE.`,
  );
}

/** Whether the network exists. */
export const hasNetwork = async (docker: Docker, names: Pick<Names, 'network'>): Promise<boolean> =>
  (await inspect(docker, names)) !== null;

/** Removes the network, if it exists. */
export async function removeNetwork(docker: Docker, names: Pick<Names, 'network'>): Promise<void> {
  await tolerant(docker.getNetwork(names.network).remove());
}

async function inspect(docker: Docker, names: Pick<Names, 'network'>): Promise<Docker.NetworkInspectInfo | null> {
  try {
    return await docker.getNetwork(names.network).inspect();
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
