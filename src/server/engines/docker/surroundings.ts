import type Docker from 'dockerode';
import type { EgressConfig } from '../../config.js';
import { applyScript, egressRules, removeScript, resolversIn } from './egress.js';
import { removeHelpers, runHelper } from './helper.js';
import { Label, type Names } from './names.js';
import { ensureNetwork, removeNetwork } from './network.js';

/** What sessions' containers need around them: their network, and rules for what it may reach. */
export class Surroundings {
  readonly #docker: Docker;
  readonly #names: Names;
  readonly #egress: EgressConfig;
  /** Has a shell and iptables. */
  readonly #image: string;

  constructor(docker: Docker, names: Names, egress: EgressConfig, image: string) {
    this.#docker = docker;
    this.#names = names;
    this.#egress = egress;
    this.#image = image;
  }

  /** Puts all in place, whatever was there. */
  async make(): Promise<void> {
    await removeHelpers(this.#docker, this.#names);
    await ensureNetwork(this.#docker, this.#names);
    if (this.#egress.mode === 'private') {
      const resolvers = resolversIn(await this.#run('cat /etc/resolv.conf', 'bridge'));
      await this.#run(applyScript(egressRules(this.#names, resolvers, this.#egress.allow)), 'host');
    } else if (!(await this.#isShared())) {
      // Rules of a former start would still hold; where nothing can be set, none can be left either.
      await this.#removeRules().catch(() => {});
    }
  }

  /** Removes all; containers must be gone. */
  async remove(): Promise<void> {
    // First: it cannot be removed from under a container that was started meanwhile, which needs the rules then.
    await removeNetwork(this.#docker, this.#names);
    // Without the image no rules were made.
    if (await this.#hasImage()) await this.#removeRules();
  }

  /** Whether another service has sessions on the same network, which the rules protect. */
  async #isShared(): Promise<boolean> {
    const { instance, labels } = this.#names;
    const filters = { label: [`${Label.instance}=${instance}`, Label.session] };
    const containers = await this.#docker.listContainers({ filters });
    return containers.some(({ Labels }) => Labels[Label.store] !== labels[Label.store]);
  }

  async #removeRules(): Promise<void> {
    await this.#run(removeScript(egressRules(this.#names, [], [])), 'host');
  }

  #run(script: string, network: 'host' | 'bridge'): Promise<string> {
    return runHelper(this.#docker, { image: this.#image, names: this.#names, script, network });
  }

  async #hasImage(): Promise<boolean> {
    const images = await this.#docker.listImages({ filters: { reference: [this.#image] } });
    return images.length > 0;
  }
}
