import type Docker from 'dockerode';
import type { AdbDevice, ContainerLimits, EgressConfig } from '../../config/index.js';
import { applyScript, repairScript, removeScript, RESTORED } from '../packet-filter/script.js';
import type { Rules } from '../packet-filter/rules.js';
import { both, deviceRules } from './device-network.js';
import { egressRules, openRules, resolversIn } from './egress.js';
import { removeHelpers, runHelper } from './helper.js';
import { Label, type Names, type NetworkNames } from './names.js';
import { ensureNetwork, hasNetwork, removeNetwork } from './network.js';

export interface SessionNetworkOptions {
  egress: EgressConfig;
  limits: ContainerLimits;
  /** Devices of a pool, by IPv4 addresses. */
  devices: readonly AdbDevice[];
}

/** The networks of sessions' containers, and the packet filter rules for what they may reach. */
export class SessionNetwork {
  readonly #docker: Docker;
  readonly #names: Names;
  readonly #egress: EgressConfig;
  readonly #limits: ContainerLimits;
  readonly #devices: readonly AdbDevice[];
  /** Image with a shell and iptables. */
  readonly #image: string;
  #rules: Rules | null = null;

  constructor(docker: Docker, names: Names, { egress, limits, devices }: SessionNetworkOptions, image: string) {
    this.#docker = docker;
    this.#names = names;
    this.#egress = egress;
    this.#limits = limits;
    this.#devices = devices;
    this.#image = image;
  }

  /** Sets everything up, replacing whatever existed. */
  async setUp(): Promise<void> {
    await removeHelpers(this.#docker, this.#names);
    for (const network of this.#networks) await ensureNetwork(this.#docker, { ...this.#names, ...network });
    if (this.#egress.mode === 'private') {
      await this.#apply(this.#rulesFor(await this.#resolvers(), this.#egress.allow));
    } else if (this.#devices.length > 0) {
      await this.#apply(
        both(openRules(this.#names, this.#devices), deviceRules(this.#names, this.#devices, this.#limits)),
      );
    } else if (!(await this.#isShared())) {
      // Rules from an earlier start would still be in force; if nothing can be set up, nothing can be left over either.
      await this.#removeRules().catch(() => {});
    }
  }

  /**
   * Checks that the networks are there and the rules still in force, and restores them if not; returns whether it had
   * to. Networks without containers are removed by `docker network prune`.
   * @throws EngineError if they cannot be checked or restored
   */
  async repair(): Promise<boolean> {
    if (await this.isMissing()) {
      await this.setUp();
      return true;
    }
    if (this.#rules === null) return false;
    return (await this.#run(repairScript(this.#rules), 'host')).includes(RESTORED);
  }

  /** Whether a network that was made is there no more. */
  async isMissing(): Promise<boolean> {
    const found = await Promise.all(this.#networks.map(network => hasNetwork(this.#docker, network)));
    return found.includes(false);
  }

  /** Removes everything; the containers must be gone. */
  async remove(): Promise<void> {
    // First: the network cannot be removed while a container that was started meanwhile uses it, and that one still
    // needs the rules.
    await removeNetwork(this.#docker, this.#names);
    await removeNetwork(this.#docker, this.#names.devices);
    // Without the image no rules were created.
    if (await this.#hasImage()) await this.#removeRules();
  }

  /** The networks that sessions need. */
  get #networks(): readonly NetworkNames[] {
    return this.#devices.length > 0 ? [this.#names, this.#names.devices] : [this.#names];
  }

  /** Whether another service has sessions on the same network, which need the rules. */
  async #isShared(): Promise<boolean> {
    const { instance, labels } = this.#names;
    const filters = { label: [`${Label.instance}=${instance}`, Label.session] };
    const containers = await this.#docker.listContainers({ filters });
    return containers.some(({ Labels }) => Labels[Label.store] !== labels[Label.store]);
  }

  async #removeRules(): Promise<void> {
    await this.#run(removeScript(this.#rulesFor([], [])), 'host');
  }

  /**
   * Name servers of containers: those of the host, unless they can be reached from the host alone. A look at the host
   * takes half the time of one from a container's own network.
   */
  async #resolvers(): Promise<string[]> {
    for (const network of ['host', 'bridge'] as const) {
      const found = resolversIn(await this.#run('cat /etc/resolv.conf', network));
      if (found.length > 0) return found;
    }
    return [];
  }

  #rulesFor(resolvers: readonly string[], allow: readonly string[]): Rules {
    const { connections, connectionRate } = this.#limits;
    const rules = egressRules(this.#names, { resolvers, allow, connections, connectionRate }, this.#devices);
    return both(rules, deviceRules(this.#names, this.#devices, this.#limits));
  }

  async #apply(rules: Rules): Promise<void> {
    this.#rules = rules;
    await this.#run(applyScript(rules), 'host');
  }

  #run(script: string, network: 'host' | 'bridge'): Promise<string> {
    return runHelper(this.#docker, { image: this.#image, names: this.#names, script, network });
  }

  async #hasImage(): Promise<boolean> {
    const images = await this.#docker.listImages({ filters: { reference: [this.#image] } });
    return images.length > 0;
  }
}
