import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Adb } from '@yume-chan/adb';
import type { Scope } from '../../bench/lib/scope.js';
import { connectAdb } from '../../src/adb/connect.js';
import { adbKeys } from '../../src/adb/keys.js';
import { Shell } from '../../src/adb/shell.js';
import type { DeviceState } from '../../src/protocol/generated/schemas.js';
import type { Config } from '../../src/server/config/index.js';
import { AndroidSession } from '../../test/fixtures/android/session.js';
import { containerOf, docker } from '../../test/fixtures/engines/docker.js';
import { type Service, startService } from '../../test/fixtures/services/service.js';
import type { StreamClient } from '../../test/fixtures/viewers/stream-client.js';

/** Settings of the service that make a difference to Android sessions. */
const SETTINGS = /^BERTH_(ANDROID_.*|EGRESS.*|SESSION_.*|APPARMOR|RUNTIME|IMAGE_PREFIX|START_TIMEOUT)$/;

const ADB_CONNECT_MS = 15_000;

/** Milliseconds that a pool's device may take to be reset before the session, and between attempts to get one. */
const RESET_MS = 180_000;
const RETRY_MS = 1000;

/** Where the emulator's device answers adb, in its container. */
const EMULATOR_ADB = { host: '127.0.0.1', port: 5555 };

/** What the checks have started and found out so far. */
export class Trial {
  readonly config: Readonly<Config>;
  /** Identifies this process, for finding leftovers. */
  readonly instance = `berth-test-android-${process.pid}`;
  readonly #scope: Scope;
  #service: Service | undefined;
  #session: AndroidSession | undefined;
  #viewer: StreamClient | undefined;
  #shell: Shell | undefined;
  /** When the start was requested, by the clock of `performance`. */
  begun = 0;
  /** Milliseconds from then until the device had booted, and showed its first picture. */
  bootMs: number | undefined;
  pictureMs: number | undefined;

  constructor(config: Readonly<Config>, scope: Scope) {
    this.config = config;
    this.#scope = scope;
  }

  get isPool(): boolean {
    return this.config.android.devices.type === 'adb';
  }

  get session(): AndroidSession {
    return there(this.#session);
  }

  get viewer(): StreamClient {
    return there(this.#viewer);
  }

  /** Commands on the device, by a connection of the check's own. */
  get shell(): Shell {
    return there(this.#shell);
  }

  /** Name of the session's container. */
  get container(): string {
    return containerOf(there(this.#service), this.session.id);
  }

  /** What the device is like, as the agent told it. */
  get device(): DeviceState | undefined {
    return this.viewer.all('device').at(-1);
  }

  /** Throws the reason of the session's end, if it has ended. */
  checkLife(): void {
    const [end] = this.viewer.all('end');
    if (end === undefined) return;
    throw new Error(
      `The session ended${end.code === undefined ? '' : ` with ${end.code}`}: ${end.message ?? end.reason}`,
    );
  }

  /** Starts a service of its own, a session, and a viewer of it. */
  async start(): Promise<void> {
    const settings = Object.entries(process.env).filter(([name, value]) => SETTINGS.test(name) && value !== undefined);
    this.#service = await startService(this.#scope, {
      ...(Object.fromEntries(settings) as Record<string, string>),
      BERTH_LOG_LEVEL: 'warn',
      BERTH_INSTANCE: this.instance,
    });
    this.begun = performance.now();
    const session = await this.#startSession(this.#service);
    this.#session = session;
    // Has the device cleaned.
    this.#scope.teardown(() => session.end());
    const viewer = await session.join();
    this.#viewer = viewer;
    this.#scope.teardown(() => viewer.leave());
  }

  /** Starts a session as soon as a device was reset. */
  async #startSession(service: Service): Promise<AndroidSession> {
    const until = performance.now() + (this.isPool ? RESET_MS : 0);
    for (;;) {
      try {
        return await AndroidSession.start(service);
      } catch (error) {
        if (performance.now() > until || !(error as Error).message.includes('429')) throw error;
      }
      await delay(RETRY_MS);
    }
  }

  /** Connects to the device from the session's container, with the session's key. */
  async connect(): Promise<Adb> {
    const { devices } = this.config.android;
    const { host, port: devicePort } = devices.type === 'adb' ? await this.#poolDevice() : EMULATOR_ADB;
    const key =
      devices.type === 'adb'
        ? (devices.key ?? undefined)
        : await docker('exec', this.container, 'cat', '/home/berth/.android/adbkey');
    const port = await this.#tunnel(host, devicePort);
    const adb = await connectAdb({ host: '127.0.0.1', port }, adbKeys(key), AbortSignal.timeout(ADB_CONNECT_MS));
    this.#scope.teardown(() => adb.close());
    this.#shell = new Shell(adb);
    return adb;
  }

  /** The device of the pool that the session has: only this one is open to its container. */
  async #poolDevice(): Promise<{ host: string; port: number }> {
    const { devices } = this.config.android;
    const pool = devices.type === 'adb' ? devices.pool : [];
    for (const device of pool) {
      const program = `require("net").connect(${device.port},"${device.host}").on("connect",()=>process.exit(0)).on("error",()=>process.exit(1));setTimeout(()=>process.exit(1),3000)`;
      const isOpen = await docker('exec', this.container, 'node', '-e', program).then(
        () => true,
        () => false,
      );
      if (isOpen) return device;
    }
    throw new Error('None of the devices can be reached from the session.');
  }

  /** A port on the loopback interface that leads through the session's container. */
  async #tunnel(host: string, port: number): Promise<number> {
    const program = `const s=require("net").connect(${port},"${host}");process.stdin.pipe(s).pipe(process.stdout);s.on("error",()=>process.exit(1)).on("close",()=>process.exit(0))`;
    const server = createServer(socket => {
      const child = spawn('docker', ['exec', '-i', this.container, 'node', '-e', program], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      socket.on('error', () => undefined).on('close', () => child.kill());
      child.stdin.on('error', () => undefined);
      child.on('close', () => socket.destroy());
      socket.pipe(child.stdin);
      child.stdout.pipe(socket);
    }).listen(0, '127.0.0.1');
    this.#scope.teardown(() => server.close());
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The session did not come so far.');
  return value;
}
