import type { FromAgent, LaunchAndroid, Signature } from '../../protocol/generated/schemas.js';
import { decodeText, type InputEvent } from '../../protocol/input.js';
import { toHelper, USER_BYTES, envelope } from '../../protocol/display-helper.js';
import { MessageType } from '../../protocol/message-type.js';
import type { TouchEvent } from '../../protocol/touch.js';
import { typeOf } from '../display/messages.js';
import type { SessionProgram, SessionProgramOptions } from '../session/session-program.js';
import { Uploads } from '../files/uploads.js';
import { RouteError } from '../link/routes.js';
import { AdbSigner } from './adb-signer.js';
import { ApkReceiver } from './apps/apk.js';
import { androidCalls } from './calls.js';
import type { DeviceScreen } from '../display/device-screen.js';
import { DeviceProblem } from './device/problem.js';
import { withSignal } from './device/wait.js';
import { moveTo } from './emulator/console.js';
import { Emulator, homeIn } from './emulator/emulator.js';
import { userData } from './emulator/user-data.js';
import { DeviceInput } from './input/input.js';
import { DeviceKeeper } from './keeper.js';
import { deviceShots } from './screenshot.js';
import { STEPS } from './steps.js';

/** Folder of viewers' uploads and of the launch's app. */
const FILES = '/tmp/uploads';

/** A device that runs Android: keeps the connection to it, shows its picture and passes viewers' input on. */
export class AndroidSession implements SessionProgram<LaunchAndroid> {
  readonly content = userData;
  readonly calls: SessionProgram<LaunchAndroid>['calls'];
  readonly #options: SessionProgramOptions;
  readonly #screen: DeviceScreen;
  readonly #stop = new AbortController();
  readonly #input: DeviceInput;
  readonly #uploads: Uploads;
  readonly #apk = new ApkReceiver(`${FILES}/.app/app.apk`);
  readonly #keeper: DeviceKeeper;
  readonly #launch: LaunchAndroid;
  readonly #signer: AdbSigner;
  #emulator: Emulator | undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(launch: LaunchAndroid, options: SessionProgramOptions, screen: DeviceScreen) {
    const { handover, tell, routes, env } = options;
    this.#launch = launch;
    this.#options = options;
    this.#signer = new AdbSigner(tell);
    this.#screen = screen;
    screen.attach(body => this.#receive(body));
    this.#input = new DeviceInput({
      control: () => this.#keeper.streams?.control,
      size: () => this.#keeper.streams?.size,
      freed: () => this.#keeper.streams?.freed(),
      copied: text => screen.show(clipboardMessage(text)),
      tell,
    });
    this.#keeper = new DeviceKeeper({
      ...options,
      launch,
      screen,
      input: this.#input,
      apk: this.#apk.arrived,
      sign: this.#signer.sign,
      emulatorKey: () => this.#emulator?.key,
      stop: this.#stop.signal,
      failed: problem => this.#fail(problem),
    });
    this.#uploads = new Uploads(FILES, handover);
    routes.push(this.#uploads.route, this.#apk.route);
    this.calls = androidCalls({
      device: () => this.#keeper.device,
      control: () => this.#keeper.streams?.control,
      moveTo: launch.android.device.type === 'emulator' ? place => moveTo(place, homeIn(env)) : undefined,
      upload: id => this.#uploads.find(id)?.path,
    });
  }

  get current(): readonly FromAgent[] {
    const { device, wantsApk } = this.#keeper;
    return [
      ...(device === undefined ? [] : [device.state]),
      ...(wantsApk && this.#apk.isMissing ? [{ type: 'wants', what: 'apk' } as const] : []),
    ];
  }

  start(): void {
    this.#uploads
      .start()
      .catch((error: unknown) => this.#options.log.warn('file folders not created', { error: String(error) }));
    this.#done = this.#run();
  }

  signed(signature: Signature): void {
    this.#signer.signed(signature);
  }

  input(event: InputEvent, body: Uint8Array, link: object): void {
    this.#input.take({ link, user: envelope.decode(body)?.user ?? 0 }, event);
  }

  touch(link: object, user: number, event: TouchEvent): void {
    this.#input.take({ link, user }, event);
  }

  unlinked(link: object): void {
    this.#input.left(toucher => toucher.link === link);
  }

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
      await this.#emulator.shutDown(() => this.#keeper.powerOff());
    } catch (error) {
      throw new RouteError(410, 'profile_incomplete', `The device was not shut down: ${(error as Error).message}.`);
    } finally {
      await this.#emulator?.stop();
    }
  }

  async #run(): Promise<void> {
    if (this.#launch.android.device.type === 'emulator' && !(await this.#startEmulator())) return;
    await this.#keeper.run();
  }

  /** Resolves with whether the emulator could be started. */
  async #startEmulator(): Promise<boolean> {
    const stop = this.#stop.signal;
    await withSignal(this.#options.beginsWith(this.#launch.android.profile), stop).catch(() => undefined);
    if (stop.aborted) return false;
    this.#options.step('emulator', STEPS.emulator);
    const emulator = new Emulator(this.#launch, this.#options, problem => this.#fail(problem));
    try {
      await emulator.start();
      this.#emulator = emulator;
      return true;
    } catch (error) {
      this.#fail(error instanceof DeviceProblem ? error : new DeviceProblem('emulator_failed', String(error)));
      return false;
    }
  }

  #fail({ code, message, blame }: DeviceProblem): void {
    this.#stop.abort();
    if (blame === 'crash') this.#options.failed(message, code);
    else this.#options.unplayable(message, code);
  }

  /** Takes a picture of the screen; a width of 0 is that of the stream. */
  async #shoot(width: number): Promise<void> {
    const { device, streams } = this.#keeper;
    const pieces = await deviceShots(device?.shell, width || (streams?.size?.width ?? 0));
    for (const piece of pieces) this.#screen.show(piece);
  }

  /** A message of the service: `user u32, message`. */
  #receive(body: Uint8Array): void {
    switch (typeOf(body)) {
      case MessageType.keyframe:
        return this.#keeper.streams?.requestKey();
      case MessageType.screenshot:
        return void this.#shoot(toHelper.screenshot.decode(body, USER_BYTES)?.width ?? 0);
      case MessageType.stream:
      case MessageType.rate:
        return this.#keeper.streams?.adjust();
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
