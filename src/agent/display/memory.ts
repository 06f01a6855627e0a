import { isText, type Handover } from '../handover/handover.js';
import { MessageType } from '../../protocol/message-type.js';
import { typeOf } from './messages.js';

/** What a restarted helper must be told, in this order. */
const TOLD = [MessageType.setDisplay, MessageType.clipboard, MessageType.rate, MessageType.stream] as const;

/** What a new link must be told, in this order. */
const SHOWN = [MessageType.display, MessageType.cursor, MessageType.windows] as const;

/** What nobody would tell another agent. */
const LEFT: ReadonlyMap<number, string> = new Map([
  [MessageType.setDisplay, 'display'],
  [MessageType.clipboard, 'clipboard'],
]);

/** Remembers the newest of those messages that state something which goes on being true. */
export class DisplayMemory {
  readonly #told = new Map<number, Uint8Array>();
  readonly #shown = new Map<number, Buffer>();
  readonly #handover: Handover | undefined;

  constructor(handover?: Handover) {
    this.#handover = handover;
    for (const [type, name] of LEFT) {
      const body = handover?.read(name, isText);
      if (body !== undefined) this.#told.set(type, Buffer.from(body, 'base64'));
    }
  }

  /** Notes a message on its way to the helper. */
  tell(body: Uint8Array): void {
    const type = typeOf(body);
    if (type === undefined || !TOLD.some(told => told === type)) return;
    this.#told.set(type, body);
    const name = LEFT.get(type);
    if (name !== undefined) this.#handover?.write(name, Buffer.from(body).toString('base64'));
  }

  /** Notes a message of the helper. */
  show(body: Buffer): void {
    const type = typeOf(body);
    // A program in the container owns the clipboard now: it must not be taken back after a restart.
    if (type === MessageType.clipboard && this.#told.delete(type)) this.#handover?.remove('clipboard');
    // Copied: the message is a view of a larger chunk that would stay in memory.
    if (SHOWN.some(shown => shown === type)) this.#shown.set(type as number, Buffer.from(body));
  }

  /** The message to the helper of this type that is in force. */
  told(type: number): Uint8Array | undefined {
    return this.#told.get(type);
  }

  /** The newest message of the helper of this type. */
  shown(type: number): Buffer | undefined {
    return this.#shown.get(type);
  }

  forHelper(): Uint8Array[] {
    return TOLD.flatMap(type => this.#told.get(type) ?? []);
  }

  forLink(): Uint8Array[] {
    return SHOWN.flatMap(type => this.#shown.get(type) ?? []);
  }
}
