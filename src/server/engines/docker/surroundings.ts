import type Docker from 'dockerode';
import type { EgressConfig } from '../../config.js';
import { applyScript, egressRules, removeScript, resolversIn } from './egress.js';
import { removeHelpers, runHelper } from './helper.js';
import type { Names } from './names.js';
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
    } else {
      // Rules of a former start would still hold; where nothing can be set, none can be left either.
      await this.#removeRules().catch(() => {});
    }
  }

  /** Removes all; containers must be gone. */
  async remove(): Promise<void> {
    // Without the image no rules were made.
    if (await this.#hasImage()) await this.#removeRules();
    await removeNetwork(this.#docker, this.#names);
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
