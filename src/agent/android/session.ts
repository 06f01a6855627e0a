import { setTimeout as delay } from 'node:timers/promises';
import type { FromAgent, LaunchAndroid, StartStep } from '../../protocol/generated/schemas.js';
import { decodeText, type InputEvent } from '../../protocol/input.js';
import { toHelper, USER_BYTES, envelope } from '../../protocol/display-helper.js';
import { MessageType } from '../../protocol/message-type.js';
import type { TouchEvent } from '../../protocol/touch.js';
import { ACTIVITY_INTERVAL } from '../activity.js';
import { typeOf } from '../display/messages.js';
import { isFlag } from '../handover/handover.js';
import type { ProgramParts, SessionProgram } from '../session-program.js';
import { Uploads } from '../files/uploads.js';
import { RouteError } from '../link/routes.js';
import { adbKeys } from './adb/keys.js';
import { connectAdb } from './adb/connect.js';
import { Shell } from './adb/shell.js';
import { ApkReceiver } from './apps/apk.js';
import { install, openApp } from './apps/apps.js';
import { clean, noteBaseline } from './apps/baseline.js';
import { cleanRoute } from './apps/clean-route.js';
import { offerCalls } from './calls.js';
import { DeviceScreen } from './device-screen.js';
import { booted } from './device/boot.js';
import { describe, type Device } from './device/device.js';
import { silence } from './device/heartbeat.js';
import { Phases } from './device/phases.js';
import { prepare } from './device/prepare.js';
import { DeviceProblem } from './device/problem.js';
import { ADB_PORT } from './emulator/command.js';
import { moveTo } from './emulator/console.js';
import { Emulator, homeIn } from './emulator/emulator.js';
import { userData } from './emulator/user-data.js';
import { DeviceInput } from './input/input.js';
import { deviceShots } from './screenshot.js';
import { pushServer } from './scrcpy/server.js';
import { Streams } from './streams.js';

/** Milliseconds between attempts to get a device back. */
const PAUSES = [200, 500, 1000, 2000, 3000] as const;

/** Milliseconds that the device may take to answer when the session has ended. */
const SHORT_CONNECT = 5000;

/** Name under which the next agent finds that the app was opened. */
const OPENED = 'android-opened';

/** Where files of viewers, and the app of the launch, are kept. */
const FILES = '/tmp/uploads';

/** What a step of the start is, in words. */
const STEPS: Readonly<Record<StartStep, string>> = {
  emulator: 'The emulator is starting.',
  connect: 'Connecting to the device.',
  boot: 'The device is booting.',
  clean: 'The device is being made ready.',
  app: 'The app is being installed and opened.',
  picture: 'Waiting for the first picture.',
};

/** A device that runs Android: keeps the connection to it, shows its picture and passes viewers' input on. */
export class AndroidSession implements SessionProgram<LaunchAndroid> {
  readonly content = userData;
  readonly #parts: ProgramParts;
  readonly #screen: DeviceScreen | undefined;
  readonly #stop = new AbortController();
  readonly #input: DeviceInput;
  readonly #uploads: Uploads;
  readonly #apk = new ApkReceiver(`${FILES}/.app/app.apk`);
  /** Whether the device was made ready and the launch's app opened, by this agent or one before it. */
  #isOpen: boolean;
  /** Whether the device's clipboard may hold what a session before has left. */
  #hasOldClipboard: boolean;
  #launch: LaunchAndroid;
  #emulator: Emulator | undefined;
  #device: Device | undefined;
  #streams: Streams | undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(launch: LaunchAndroid, parts: ProgramParts) {
    this.#launch = launch;
    this.#parts = parts;
    this.#isOpen = parts.handover.read(OPENED, isFlag) ?? false;
    this.#hasOldClipboard = launch.android.device.type === 'adb' && !this.#isOpen;
    this.#screen = parts.screen instanceof DeviceScreen ? parts.screen : undefined;
    this.#screen?.attach(body => this.#receive(body));
    this.#input = new DeviceInput({
      control: () => this.#streams?.control,
      size: () => this.#streams?.size,
      freed: () => this.#streams?.freed(),
      copied: text => this.#screen?.show(clipboardMessage(text)),
      tell: parts.tell,
    });
    this.#uploads = new Uploads(FILES, parts.handover);
    parts.routes.push(
      this.#uploads.route,
      this.#apk.route,
      cleanRoute(() => this.#clean()),
    );
    offerCalls(parts.calls, {
      device: () => this.#device,
      control: () => this.#streams?.control,
      moveTo: launch.android.device.type === 'emulator' ? place => moveTo(place, homeIn(parts.env)) : undefined,
      upload: id => this.#uploads.path(id),
    });
  }

  get current(): readonly FromAgent[] {
    const isWaiting = this.#launch.android.apk === true && this.#apk.isMissing && !this.#isOpen;
    return [
      ...(this.#device === undefined ? [] : [this.#device.state]),
      ...(isWaiting ? [{ type: 'wants', what: 'apk' } as const] : []),
    ];
  }

  start(): void {
    if (this.#screen === undefined) return this.#parts.unplayable('This image runs no Android devices.');
    this.#uploads
      .start()
      .catch((error: unknown) => this.#parts.log.warn('file folders not created', { error: String(error) }));
    this.#done = this.#run(this.#screen);
  }

  launched(launch: LaunchAndroid): void {
    this.#launch = launch;
  }

  input(event: InputEvent, body: Uint8Array, link: object): void {
    this.#input.take({ link, user: envelope.decode(body)?.user ?? 0 }, event);
  }

  touch(link: object, user: number, event: TouchEvent): void {
    this.#input.take({ link, user }, event);
  }

  pad(): void {}
  scroll(): void {}

  unlinked(link: object): void {
    this.#input.left(toucher => toucher.link === link);
  }

  displayLost(): void {}

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
    await this.#emulator?.stop();
  }

  /** Shuts an emulator's device down, so that its data can be saved. @throws RouteError 410 if they are incomplete */
  async finish(): Promise<void> {
    this.#stop.abort();
    await this.#done;
    try {
      if (this.#emulator === undefined) throw new Error('there is no emulator');
      await this.#emulator.shutDown(() => this.#powerOff());
    } catch (error) {
      throw new RouteError(410, 'profile_incomplete', `The device was not shut down: ${(error as Error).message}.`);
    } finally {
      await this.#emulator?.stop();
    }
  }

  /** By a connection of its own: the session's is closed. */
  async #powerOff(): Promise<void> {
    const adb = await this.#connect(AbortSignal.timeout(SHORT_CONNECT));
    // The device may be gone before it has answered, or may never answer.
    await Promise.race([Promise.allSettled([new Shell(adb).run(['svc', 'power', 'shutdown'])]), adb.disconnected]);
    await Promise.race([Promise.allSettled([adb.close()]), delay(500)]);
  }

  /** Keeps the device until the session ends. */
  async #run(screen: DeviceScreen): Promise<void> {
    const stop = this.#stop.signal;
    if (this.#launch.android.device.type === 'emulator' && !(await this.#startEmulator())) return;
    const { device, deadlines } = this.#launch.android;
    const phases = new Phases(deadlines, stop, device.type === 'emulator' ? 'boot' : 'connect');
    // Until there is a picture nobody can have any input.
    const busy = setInterval(
      () => phases.current !== 'running' && phases.current !== 'lost' && this.#parts.busy(),
      ACTIVITY_INTERVAL,
    );
    try {
      for (let failures = 0; !stop.aborted; failures++) {
        try {
          await this.#attempt(screen, phases, () => (failures = 0));
        } catch (error) {
          if (stop.aborted) return;
          if (error instanceof DeviceProblem) return this.#fail(error);
          this.#parts.log.warn('device lost', { phase: phases.current, error: String(error) });
          if (phases.signal.aborted) return this.#fail(phases.problem);
        }
        if (phases.current === 'running') this.#parts.lost();
        phases.failed();
        await delay(PAUSES[Math.min(failures, PAUSES.length - 1)], undefined, { signal: phases.signal }).catch(
          () => undefined,
        );
        if (phases.signal.aborted && !stop.aborted) return this.#fail(phases.problem);
      }
    } finally {
      clearInterval(busy);
    }
  }

  /** Resolves with whether the emulator could be started. */
  async #startEmulator(): Promise<boolean> {
    await Promise.race([this.#parts.beginsWith(this.#launch.android.profile), ended(this.#stop.signal)]);
    if (this.#stop.signal.aborted) return false;
    this.#step('emulator');
    const emulator = new Emulator(this.#launch, this.#parts, problem => this.#fail(problem));
    try {
      await emulator.start();
      this.#emulator = emulator;
      return true;
    } catch (error) {
      this.#fail(error instanceof DeviceProblem ? error : new DeviceProblem('emulator_failed', String(error)));
      return false;
    }
  }

  /** Connects to the device and shows its picture; rejects when it is lost. */
  async #attempt(screen: DeviceScreen, phases: Phases, came: () => void): Promise<never> {
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
      this.#parts.tell(device.state);
      if (isFirst) {
        await this.#makeReady(device, this.#launch.android.density);
        this.#step('app');
        await Promise.race([this.#openApp(device), gone, aborted(this.#stop.signal)]);
      }
      phases.enter('picture');
      this.#step('picture');
      await pushServer(adb, this.#parts.scrcpyServer);
      const streams = new Streams({ launch: this.#launch, device, screen, input: this.#input, log: this.#parts.log });
      this.#streams = streams;
      await withSignal(Promise.race([streams.start(), streams.lost, gone]), phases.signal);
      if (this.#hasOldClipboard) this.#input.paste('');
      this.#hasOldClipboard = false;
      phases.enter('running');
      this.#parts.shown();
      came();
      const silent = silence(shell, over.signal);
      return await Promise.race([streams.lost, gone, silent, aborted(this.#stop.signal)]);
    } finally {
      over.abort();
      const streams = this.#streams;
      this.#streams = this.#device = undefined;
      this.#input.forget();
      await Promise.race([Promise.allSettled([streams?.stop()]), delay(500)]);
      await Promise.race([Promise.allSettled([adb.close()]), delay(500)]);
    }
  }

  /** Removes what a session that was killed has left on the device, and sets it up for this one. */
  async #makeReady({ shell }: Device, density: number): Promise<void> {
    const { device, app_id: app } = this.#launch.android;
    if (device.type === 'adb' && (await noteBaseline(shell)) && !this.#isOpen) {
      await clean(shell, app);
      await noteBaseline(shell);
    }
    const failed = await prepare(shell, this.#launch.display, density);
    if (failed.length > 0) this.#parts.log.warn('device not set up in everything', { failed: failed.join('; ') });
  }

  /** Makes a pool's device what it was before the session, by a connection of its own: the session may have failed. */
  async #clean(): Promise<void> {
    const { app_id: app } = this.#launch.android;
    await this.#streams?.control?.setClipboard('', false);
    const adb = await this.#connect(AbortSignal.timeout(SHORT_CONNECT));
    try {
      await clean(new Shell(adb), app);
    } finally {
      await Promise.race([Promise.allSettled([adb.close()]), delay(500)]);
    }
  }

  #connect(signal: AbortSignal) {
    const { device } = this.#launch.android;
    if (device.type === 'adb') return connectAdb(device, adbKeys(device.key), signal);
    return connectAdb({ host: '127.0.0.1', port: ADB_PORT }, adbKeys(this.#emulator?.key), signal);
  }

  /** Installs and opens the app of the launch. */
  async #openApp(device: Device): Promise<void> {
    const { app_id: app, apk } = this.#launch.android;
    if (this.#isOpen) return;
    const installed = apk === true ? await install(device, await this.#apk.arrived) : undefined;
    const target = app ?? installed;
    if (target !== undefined) await openApp(device, target);
    this.#isOpen = true;
    this.#parts.handover.write(OPENED, true);
  }

  #step(step: StartStep): void {
    this.#parts.step(step, STEPS[step]);
  }

  #fail({ code, message, blame }: DeviceProblem): void {
    this.#stop.abort();
    if (blame === 'crash') this.#parts.failed(message, code);
    else this.#parts.unplayable(message, code);
  }

  /** Takes a picture of the screen; a width of 0 is that of the stream. */
  async #shoot(width: number): Promise<void> {
    const { shell } = this.#device ?? {};
    const pieces = shell === undefined ? [] : await deviceShots(shell, width || (this.#streams?.size?.width ?? 0));
    for (const piece of pieces) this.#screen?.show(piece);
  }

  /** A message of the service: `user u32, message`. */
  #receive(body: Uint8Array): void {
    switch (typeOf(body)) {
      case MessageType.keyframe:
        return this.#streams?.requestKey();
      case MessageType.screenshot:
        return void this.#shoot(toHelper.screenshot.decode(body, USER_BYTES)?.width ?? 0);
      case MessageType.stream:
      case MessageType.rate:
        return this.#streams?.adjust();
      case MessageType.clipboard: {
        const text = decodeText(toHelper.clipboard.bodyOf(body, USER_BYTES));
        if (text !== null) this.#input.paste(text);
        return;
      }
      default:
      // The rest is for X servers.
    }
  }
}

const clipboardMessage = (text: string): Buffer =>
  Buffer.from(toHelper.clipboard.encode({}, USER_BYTES, new TextEncoder().encode(text)).buffer);

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const ended = (signal: AbortSignal): Promise<void> => aborted(signal).catch(() => undefined);

const withSignal = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => Promise.race([work, aborted(signal)]);
