import type { LaunchAndroid } from '../../protocol/generated/schemas.js';
import { toHelper, USER_BYTES } from '../../protocol/display-helper.js';
import { MessageType } from '../../protocol/message-type.js';
import type { Log } from '../lib/log.js';
import type { DeviceScreen } from '../display/device-screen.js';
import type { Device } from './device/device.js';
import type { DeviceInput } from './input/input.js';
import type { Control } from './scrcpy/control.js';
import { Sound } from './sound.js';
import type { PictureSize } from './video/messages.js';
import { Picture } from './video/picture.js';
import { rateFor } from './video/rates.js';
import { PictureServers } from './video/servers.js';

export interface StreamsOptions {
  readonly launch: LaunchAndroid;
  readonly device: Device;
  readonly screen: DeviceScreen;
  readonly input: DeviceInput;
  readonly log: Log;
}

/** Maximum bit rate until the service sets one, kbit/s. */
const FIRST_KBPS = 4000;

/** Picture and sound of a connected device. */
export class Streams {
  /** Rejects when the picture is lost; a lost sound is no error. */
  readonly lost: Promise<never>;
  readonly #options: StreamsOptions;
  readonly #picture: Picture;
  readonly #servers: PictureServers;
  readonly #sound: Sound;
  #lose = (_reason: string): void => {};
  #begin = (): void => {};
  readonly #begun = new Promise<void>(resolve => (this.#begin = resolve));

  constructor(options: StreamsOptions) {
    this.#options = options;
    const { launch, device, screen, input, log } = options;
    const { width, height, fps, quality } = launch.display;
    this.lost = new Promise((_, reject) => (this.#lose = reason => reject(new Error(reason))));
    this.lost.catch(() => undefined);
    this.#picture = new Picture(
      { fps, quality },
      {
        show: body => screen.show(body),
        resized: size => input.resized(size),
        key: () => {
          this.#servers.keyArrived();
          this.#begin();
        },
      },
    );
    this.#servers = new PictureServers({
      adb: device.adb,
      picture: this.#picture,
      largestSide: Math.max(width, height),
      fps,
      bitRate: this.#bitRate ?? rateFor(FIRST_KBPS, quality),
      isHeld: () => input.isHeld,
      clipboard: text => input.told(text),
      lost: reason => this.#lose(reason),
      warn: problem => log.warn(problem),
    });
    this.#sound = new Sound(body => screen.show(body));
    this.adjust();
  }

  get control(): Control | undefined {
    return this.#servers.control;
  }

  get size(): PictureSize | undefined {
    return this.#picture.size;
  }

  /** Resolves when there is a picture. */
  async start(): Promise<void> {
    const { device, log } = this.#options;
    await this.#servers.start();
    if (device.state.sound) {
      this.#sound.run(device.adb).then(
        reason => log.info('sound', { reason }),
        (error: unknown) => log.warn('no sound', { error: String(error) }),
      );
    }
    await this.#begun;
  }

  requestKey(): void {
    this.#servers.requestKey();
  }

  /** The last finger is up. */
  freed(): void {
    this.#servers.freed();
  }

  /** Applies the service's latest subscription and maximum bit rate. */
  adjust(): void {
    const told = this.#options.screen.told(MessageType.stream);
    const { video = false, audio = false } = (told && toHelper.stream.decode(told, USER_BYTES)) ?? {};
    this.#sound.isWanted = audio;
    const wasWanted = this.#picture.isWanted;
    this.#picture.isWanted = video;
    if (video && !wasWanted) this.#servers.requestKey();
    const bitRate = this.#bitRate;
    if (bitRate !== undefined) this.#servers.want(bitRate);
  }

  async stop(): Promise<void> {
    await Promise.allSettled([this.#servers.stop(), this.#sound.stop()]);
  }

  /** The rate within the maximum that the service has set, bits per second; undefined until it has. */
  get #bitRate(): number | undefined {
    const { launch, screen } = this.#options;
    const told = screen.told(MessageType.rate);
    const kbps = told && toHelper.rate.decode(told, USER_BYTES)?.kbps;
    return kbps === undefined ? undefined : rateFor(kbps, launch.display.quality);
  }
}
