import type Docker from 'dockerode';
import { lookup } from 'node:dns/promises';
import { LINK_VERSION } from '../../../protocol/link-proof.js';
import { AGENT_PORT } from '../../../protocol/message-type.js';
import type {
  AdbDevice,
  ContainerLimits,
  DockerAddress,
  EgressConfig,
  EmulatorConfig,
  GpuConfig,
  RomConfig,
} from '../../config/index.js';
import { unlessAborted } from '../../lib/deadline.js';
import { hasEmulator } from '../container.js';
import {
  EngineError,
  type ContainerRequest,
  type Endpoint,
  type Engine,
  type EngineEvents,
  type FoundContainer,
  type ImageInfo,
  type EngineAddresses,
} from '../engine.js';
import { IsolationKeeper, removeOurs } from '../isolation-keeper.js';
import { createContainer, dockerClient, engineError, isNetworkMissing, ping, statusOf, tolerant } from './client.js';
import { endpointOf, exitOf } from './container-state.js';
import { removeHelpers } from './helper.js';
import { imagesOf } from './images.js';
import { Label, namesOf, type Names } from './names.js';
import { checkKvmGroup, deviceError, missingIn, unfitIn, type EngineInfo } from './requirements.js';
import { containerSpec } from './spec.js';
import { SessionNetwork } from './session-network.js';
import { addressesOf } from './addresses.js';
import { Watcher } from './watch.js';

export interface DockerEngineOptions {
  address: DockerAddress;
  instance: string;
  /** Identity of the store that sessions are kept in; null: there is none. */
  store: string | null;
  imagePrefix: string;
  limits: ContainerLimits;
  roms: Pick<RomConfig, 'maxBytes'>;
  egress: EgressConfig;
  /** The seccomp profile's JSON. */
  seccomp: string;
  /** AppArmor profile of containers; null: the engine's default. */
  apparmor: string | null;
  /** Container runtime; null: the engine's default. */
  runtime: string | null;
  /** Folder on the engine's machine with a real ps1's BIOS. */
  ps1BiosFolder: string | null;
  /** GPU that Chromium's containers use for WebGL and for encoding; null: both in software. */
  gpu: GpuConfig | null;
  /** Devices of a pool, by IPv4 addresses; none: Android sessions have emulators. */
  devices: readonly AdbDevice[];
  emulator: EmulatorConfig;
  /** Certificates of authorities that sessions trust besides the usual ones, as PEM. */
  caCertificates: readonly string[];
}

/** An engine that accepts calls but does not answer must not block others. */
const REMOVE_TIMEOUT_MS = 30_000;
const LIST_TIMEOUT_MS = 10_000;
const PREPARE_TIMEOUT_MS = 30_000;

/** Facts about the engine, learned during preparation. */
interface Prepared {
  cpus: number;
  /** The single address on which agents listen, for an engine on another host. */
  publishAt: string | null;
}

/** Runs sessions in containers of one Docker engine. */
export class DockerEngine implements Engine {
  readonly #options: DockerEngineOptions;
  readonly #docker: Docker;
  readonly #names: Names;
  readonly #network: SessionNetwork;
  readonly #isolation: IsolationKeeper<Prepared>;

  constructor(options: DockerEngineOptions) {
    this.#options = options;
    this.#docker = dockerClient(options.address);
    this.#names = namesOf(options.instance, options.store);
    const image = `${options.imagePrefix}/base:latest`;
    this.#network = new SessionNetwork(this.#docker, this.#names, options, image);
    this.#isolation = new IsolationKeeper({
      make: () => this.#prepare(),
      // Other programs that change the host's packet filter may remove the rules.
      repair: () => this.#network.repair(),
      failure: error => engineError(error) as Error,
      exposes: () => true,
      timeoutMs: PREPARE_TIMEOUT_MS,
    });
  }

  /** Creates the network and packet filter rules, once; again each time the engine was lost. @throws EngineError */
  prepare(): Promise<Prepared> {
    return this.#isolation.made();
  }

  async start(request: ContainerRequest, signal: AbortSignal): Promise<Endpoint> {
    try {
      const { cpus, publishAt } = await unlessAborted(this.prepare(), signal);
      const { limits, emulator } = this.#options;
      const spec = containerSpec(request, {
        ...this.#options,
        names: this.#names,
        limits: { ...limits, cpus: Math.min(limits.cpus, cpus) },
        emulator: { ...emulator, cpus: Math.min(emulator.cpus, cpus) },
        publishAt,
      });
      const create = () => createContainer(this.#docker, { ...spec, abortSignal: signal });
      const container = await this.#onNetwork(create, signal);
      if (hasEmulator(request)) checkKvmGroup(emulator);
      await this.#onNetwork(() => container.start({ abortSignal: signal }) as Promise<unknown>, signal);
      const { NetworkSettings: network } = await container.inspect({ abortSignal: signal });
      const address = this.#addressIn(network.Networks);
      const published = Number(network.Ports[`${AGENT_PORT}/tcp`]?.[0]?.HostPort ?? NaN);
      const endpoint = endpointOf(this.#remote, address, published, LINK_VERSION);
      if (endpoint === null) throw new Error('The container ended as soon as it was started.');
      return endpoint;
    } catch (error) {
      // Before cleanup, during which the signal may abort as well.
      const failure = deviceError(error, hasEmulator(request), this.#options) ?? engineError(error, signal);
      await this.stop(request.sessionId).catch(() => {});
      throw failure;
    }
  }

  /** Makes a call that needs the network, again if somebody has pruned that since it was made. */
  async #onNetwork<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!isNetworkMissing(error)) throw error;
      await unlessAborted(this.#isolation.remade(), signal);
      return call();
    }
  }

  /** Does nothing, since labels of containers cannot be changed. */
  async assigned(): Promise<void> {}

  async stop(sessionId: string): Promise<void> {
    try {
      if (await this.#remove(this.#names.container(sessionId))) return;
      // Containers of older versions have different names.
      const filters = { label: [`${Label.instance}=${this.#names.instance}`, `${Label.session}=${sessionId}`] };
      const abortSignal = AbortSignal.timeout(LIST_TIMEOUT_MS);
      const found = await this.#docker.listContainers({ all: true, filters, abortSignal });
      await Promise.all(found.map(({ Id }) => this.#remove(Id)));
    } catch (error) {
      throw engineError(error);
    }
  }

  /** Whether the container existed. */
  async #remove(container: string): Promise<boolean> {
    const options = { force: true, v: true, abortSignal: AbortSignal.timeout(REMOVE_TIMEOUT_MS) };
    try {
      await tolerant(this.#docker.getContainer(container).remove(options), 409);
      return true;
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
      return false;
    }
  }

  list(): Promise<FoundContainer[]> {
    return this.#list(Label.session);
  }

  async find(sessionId: string): Promise<FoundContainer | null> {
    return (await this.#list(`${Label.session}=${sessionId}`))[0] ?? null;
  }

  /** This instance's containers with this label. */
  async #list(label: string): Promise<FoundContainer[]> {
    try {
      const filters = { label: [`${Label.instance}=${this.#names.instance}`, label] };
      const containers = await this.#docker.listContainers({
        all: true,
        filters,
        abortSignal: AbortSignal.timeout(LIST_TIMEOUT_MS),
      });
      return await Promise.all(containers.map(container => this.#found(container)));
    } catch (error) {
      throw engineError(error);
    }
  }

  watch(events: EngineEvents): { stop(): void } {
    const watcher = new Watcher(this.#docker, this.#names, {
      exited: (sessionId, exit) => events.exited(sessionId, exit),
      connected: () => {
        events.connected();
        // The next start or ping reports the failure again.
        void this.prepare().catch(() => {});
      },
      disconnected: error => {
        // A restart may have lost the rules: sessions start only after they are verified again.
        this.#isolation.lost();
        events.disconnected(error);
      },
    });
    const keeping = this.#isolation.watch(events);
    return {
      stop: () => {
        keeping.stop();
        watcher.stop();
      },
    };
  }

  async images(): Promise<ImageInfo[]> {
    try {
      return await unlessAborted(
        imagesOf(this.#docker, this.#options.imagePrefix),
        AbortSignal.timeout(LIST_TIMEOUT_MS),
      );
    } catch (error) {
      throw engineError(error);
    }
  }

  async ping(): Promise<void> {
    try {
      await ping(this.#docker, 3000);
      await this.#isolation.madeInTime();
    } catch (error) {
      throw engineError(error);
    }
  }

  async addresses(): Promise<EngineAddresses> {
    const { address } = this.#options;
    try {
      return await addressesOf(this.#docker, this.#names, address, () => this.list());
    } catch (error) {
      throw engineError(error);
    }
  }

  async teardown(isOurs: (container: FoundContainer) => boolean): Promise<FoundContainer[]> {
    try {
      const others = await removeOurs(this, isOurs);
      await removeHelpers(this.#docker, this.#names, { own: true });
      if (others.length === 0) await this.#network.remove();
      return others;
    } catch (error) {
      throw engineError(error);
    }
  }

  async #found(container: Docker.ContainerInfo): Promise<FoundContainer> {
    const address = this.#addressIn(container.NetworkSettings?.Networks);
    const published = container.Ports.find(port => port.PrivatePort === AGENT_PORT)?.PublicPort;
    const isRunning = container.State === 'running';
    const exit = isRunning ? null : await exitOf(this.#docker, container.Id, LIST_TIMEOUT_MS);
    const by = container.Labels[Label.warmedBy];
    const linkVersion = Number(container.Labels[Label.link] ?? 1);
    return {
      sessionId: container.Labels[Label.session] ?? '',
      store: container.Labels[Label.store] ?? null,
      endpoint: isRunning ? endpointOf(this.#remote, address, published, linkVersion) : null,
      ...(exit === null ? {} : { exit }),
      ...(by === undefined ? {} : { warm: { by, at: container.Created * 1000 } }),
    };
  }

  #addressIn(networks: Record<string, { IPAddress: string }> | undefined): string | undefined {
    return (networks?.[this.#names.network] ?? networks?.[this.#names.devices.network])?.IPAddress;
  }

  get #remote(): string | null {
    const { address } = this.#options;
    return address.transport === 'tcp' ? (address.agents ?? address.host) : null;
  }

  async #prepare(): Promise<Prepared> {
    const [info, version] = await Promise.all([this.#docker.info() as Promise<EngineInfo>, this.#docker.version()]);
    const missing = unfitIn(version) ?? missingIn(info, this.#options);
    if (missing !== null) throw new EngineError('unfit', missing);
    await this.#network.setUp();
    const publishAt = this.#remote === null ? null : (await lookup(this.#remote)).address;
    return { cpus: info.NCPU ?? 1, publishAt };
  }
}
