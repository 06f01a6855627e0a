import { setTimeout as delay } from 'node:timers/promises';
import { ADB_DEFAULT_AUTHENTICATORS } from '@yume-chan/adb';
import type { LaunchAndroid, StartStep } from '../../protocol/generated/schemas.js';
import { ACTIVITY_INTERVAL } from '../session/activity.js';
import { isFlag } from '../handover/handover.js';
import type { SessionProgramOptions } from '../session/session-program.js';
import { connectAdb } from '../../adb/connect.js';
import { adbKeys } from '../../adb/keys.js';
import { Shell } from '../../adb/shell.js';
import { signedBy } from '../../adb/signature.js';
import { install, openApp } from './apps/apps.js';
import type { DeviceScreen } from '../display/device-screen.js';
import { booted, describe, type Device, heartbeat, setUp } from './device/device.js';
import { Phases } from './device/phases.js';
import { DeviceProblem } from './device/problem.js';
import { aborted, briefly, withSignal } from './device/wait.js';
import { ADB_PORT } from './emulator/command.js';
import type { DeviceInput } from './input/input.js';
import { pushServer } from './scrcpy/server.js';
import { STEPS } from './steps.js';
import { Streams } from './streams.js';

/** Pauses between attempts to reconnect to a device, milliseconds. */
const PAUSES = [200, 500, 1000, 2000, 3000] as const;

/** How long the device may take to accept the connection that shuts it down, milliseconds. */
const SHORT_CONNECT = 5000;

/** Name of the handover's record that the app was opened. */
const OPENED = 'android-opened';

export interface KeeperOptions extends Pick<
  SessionProgramOptions,
  'log' | 'handover' | 'tell' | 'step' | 'shown' | 'lost' | 'busy' | 'scrcpyServer'
> {
  readonly launch: LaunchAndroid;
  readonly screen: DeviceScreen;
  readonly input: DeviceInput;
  /** Resolves with the path of the launch's app when it has arrived. */
  readonly apk: Promise<string>;
  /** Signs the token of a pool's device; null: the service has no key for it. */
  readonly sign: (token: Uint8Array) => Promise<Uint8Array | null>;
  /** The key that an emulator's device trusts. */
  readonly emulatorKey: () => string | undefined;
  /** Aborts when the session ends. */
  readonly stop: AbortSignal;
  /** The session cannot go on. */
  readonly failed: (problem: DeviceProblem) => void;
}

/** Connects to a device, sets it up, opens the app and shows its picture; reconnects when it is lost. */
export class DeviceKeeper {
  readonly #options: KeeperOptions;
  readonly #stop: AbortSignal;
  readonly #launch: LaunchAndroid;
  /** Whether the device was set up and the launch's app opened, by this agent or a previous one. */
  #isOpen: boolean;
  /** Whether the device's clipboard may still hold text of an earlier session. */
  #hasOldClipboard: boolean;
  #device: Device | undefined;
  #streams: Streams | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#stop = options.stop;
    this.#launch = options.launch;
    this.#isOpen = options.handover.read(OPENED, isFlag) ?? false;
    this.#hasOldClipboard = this.#isOfPool && !this.#isOpen;
  }

  /** Undefined while it is not connected, or boots. */
  get device(): Device | undefined {
    return this.#device;
  }

  get streams(): Streams | undefined {
    return this.#streams;
  }

  /** Whether the launch's app is still to be installed. */
  get wantsApk(): boolean {
    return this.#launch.android.apk === true && !this.#isOpen;
  }

  /** Resolves when the session ends, or after `failed` was called. */
  async run(): Promise<void> {
    const stop = this.#stop;
    const { log, failed, lost, busy } = this.#options;
    const { device, deadlines } = this.#launch.android;
    const phases = new Phases(deadlines, stop, device.type === 'emulator' ? 'boot' : 'connect');
    // Until there is a picture nobody can have any input.
    const isBusy = setInterval(
      () => phases.current !== 'running' && phases.current !== 'lost' && busy(),
      ACTIVITY_INTERVAL,
    );
    try {
      for (let failures = 0; !stop.aborted; failures++) {
        try {
          await this.#attempt(phases, () => (failures = 0));
        } catch (error) {
          if (stop.aborted) return;
          if (error instanceof DeviceProblem) return failed(error);
          log.warn('device lost', { phase: phases.current, error: String(error) });
          if (phases.signal.aborted) return failed(phases.problem);
        }
        if (phases.current === 'running') lost();
        phases.failed();
        await delay(PAUSES[Math.min(failures, PAUSES.length - 1)], undefined, { signal: phases.signal }).catch(
          () => undefined,
        );
        if (phases.signal.aborted && !stop.aborted) return failed(phases.problem);
      }
    } finally {
      clearInterval(isBusy);
    }
  }

  /** Connects to the device and shows its picture; rejects when it is lost. */
  async #attempt(phases: Phases, succeeded: () => void): Promise<never> {
    const { log, tell, screen, input, shown, scrcpyServer } = this.#options;
    const isFirst = phases.current !== 'lost';
    this.#step('connect');
    const adb = await this.#connect(phases.signal);
    const over = new AbortController();
    try {
      const gone = adb.disconnected.then(
        () => Promise.reject(new Error('the connection was closed')),
        (error: unknown) => Promise.reject(new Error('the connection failed', { cause: error })),
      );
      gone.catch(() => undefined);
      const shell = new Shell(adb);
      phases.enter('boot');
      this.#step('boot');
      await Promise.race([booted(shell, phases.signal), gone]);
      phases.enter('app');
      this.#step('clean');
      const device = await describe(adb, shell);
      this.#device = device;
      tell(device.state);
      if (isFirst) {
        await this.#makeReady(device, this.#launch.android.density);
        this.#step('app');
        await Promise.race([this.#openApp(device), gone, aborted(this.#stop)]);
      }
      phases.enter('picture');
      this.#step('picture');
      await pushServer(adb, scrcpyServer);
      const streams = new Streams({ launch: this.#launch, device, screen, input, log });
      this.#streams = streams;
      await withSignal(Promise.race([streams.start(), streams.lost, gone]), phases.signal);
      if (this.#hasOldClipboard) input.paste('');
      this.#hasOldClipboard = false;
      phases.enter('running');
      shown();
      succeeded();
      const silent = heartbeat(shell, over.signal);
      return await Promise.race([streams.lost, gone, silent, aborted(this.#stop)]);
    } finally {
      over.abort();
      const streams = this.#streams;
      this.#streams = this.#device = undefined;
      input.forget();
      await briefly(streams?.stop());
      await briefly(adb.close());
    }
  }

  /** Sets the device up for this session. */
  async #makeReady({ shell }: Device, density: number): Promise<void> {
    const failed = await setUp(shell, this.#launch.display, density);
    if (failed.length > 0) this.#options.log.warn('device not set up in everything', { failed: failed.join('; ') });
  }

  /** Tells the device to shut down, by a connection of its own: the session's is closed. */
  async powerOff(): Promise<void> {
    const adb = await this.#connect(AbortSignal.timeout(SHORT_CONNECT));
    // The device may be gone before it has answered, or may never answer.
    await Promise.race([Promise.allSettled([new Shell(adb).run(['svc', 'power', 'shutdown'])]), adb.disconnected]);
    await briefly(adb.close());
  }

  get #isOfPool(): boolean {
    return this.#launch.android.device.type === 'adb';
  }

  #connect(signal: AbortSignal) {
    const { device } = this.#launch.android;
    if (device.type === 'adb') {
      const authenticators = [signedBy(this.#options.sign), ...ADB_DEFAULT_AUTHENTICATORS];
      return connectAdb(device, adbKeys(undefined), signal, { authenticators });
    }
    return connectAdb({ host: '127.0.0.1', port: ADB_PORT }, adbKeys(this.#options.emulatorKey()), signal);
  }

  /** Installs and opens the app of the launch. */
  async #openApp(device: Device): Promise<void> {
    const { app_id: app, apk } = this.#launch.android;
    if (this.#isOpen) return;
    const installed = apk === true ? await install(device, await this.#options.apk) : undefined;
    const target = app ?? installed;
    if (target !== undefined) await openApp(device, target);
    this.#isOpen = true;
    this.#options.handover.write(OPENED, true);
  }

  #step(step: StartStep): void {
    this.#options.step(step, STEPS[step]);
  }
}
