import type { MessageType } from '../../protocol/message-type.js';
import { DisplayStateCache } from './display-state-cache.js';
import type { Screen } from './screen.js';

/** The screen of a device, which the session's program attaches itself to: there is no X server and no display helper. */
export class DeviceScreen implements Screen {
  readonly #memory = new DisplayStateCache();
  readonly #message: (body: Buffer) => void;
  #receiver: ((body: Uint8Array) => void) | undefined;

  /** `message` receives each message for viewers, as `user u32, message`. */
  constructor(message: (body: Buffer) => void) {
    this.#message = message;
  }

  start(): void {}

  async stop(): Promise<void> {}

  /** Passes on what is sent from now on. */
  attach(receiver: (body: Uint8Array) => void): void {
    this.#receiver = receiver;
  }

  send(body: Uint8Array): void {
    this.#memory.tell(body);
    this.#receiver?.(body);
  }

  /** The last message of this type that was sent. */
  told(type: MessageType): Uint8Array | undefined {
    return this.#memory.told(type);
  }

  /** Sends viewers a message. */
  show(body: Buffer): void {
    this.#memory.show(body);
    this.#message(body);
  }

  picture(): Uint8Array[] {
    return this.#memory.forLink();
  }

  get displaySize(): { width: number; height: number } | undefined {
    return this.#memory.displaySize;
  }
}
