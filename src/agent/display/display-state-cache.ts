import { isText, type Handover } from '../handover/handover.js';
import { fromHelper, USER_BYTES } from '../../protocol/display-helper.js';
import { MessageType } from '../../protocol/message-type.js';
import { typeOf } from './messages.js';

/** State that a restarted helper needs, in this order. */
const TOLD = [
  MessageType.setDisplay,
  MessageType.clipboard,
  MessageType.content,
  MessageType.rate,
  MessageType.smallLayer,
  MessageType.stream,
] as const;

/** State that a new link needs, in this order. */
const SHOWN = [MessageType.display, MessageType.cursor, MessageType.windows, MessageType.layers] as const;

/** Messages that set the clipboard; each replaces the other. */
const CLIPBOARD: readonly (number | undefined)[] = [MessageType.clipboard, MessageType.content];

/** Those of helpers that say that a program in the container owns the clipboard now. */
const COPIED: readonly (number | undefined)[] = [MessageType.clipboard, MessageType.copied];

/** Largest state that is left to the next agent, bytes. */
const LEFT_MAX_BYTES = 2 << 20;

/** State that nobody would send the next agent. */
const LEFT: ReadonlyMap<number, string> = new Map([
  [MessageType.setDisplay, 'display'],
  [MessageType.clipboard, 'clipboard'],
  [MessageType.content, 'clipboard content'],
]);

/** Remembers the latest of those messages that describe state. */
export class DisplayStateCache {
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

  /** Records a message to the helper. */
  tell(body: Uint8Array): void {
    const type = typeOf(body);
    if (type === undefined || !TOLD.some(told => told === type)) return;
    if (CLIPBOARD.includes(type)) this.#forgetClipboard();
    this.#told.set(type, body);
    const name = LEFT.get(type);
    if (name !== undefined && body.length <= LEFT_MAX_BYTES)
      this.#handover?.write(name, Buffer.from(body).toString('base64'));
  }

  /** Records a message of the helper. */
  show(body: Buffer): void {
    const type = typeOf(body);
    // It must not be overwritten after a restart.
    if (COPIED.includes(type)) this.#forgetClipboard();
    // Copied: the message is a view of a larger chunk that would stay in memory.
    if (SHOWN.some(shown => shown === type)) this.#shown.set(type as number, Buffer.from(body));
  }

  #forgetClipboard(): void {
    for (const type of [MessageType.clipboard, MessageType.content]) {
      if (this.#told.delete(type)) this.#handover?.remove(LEFT.get(type) as string);
    }
  }

  /** The current message of this type to the helper. */
  told(type: number): Uint8Array | undefined {
    return this.#told.get(type);
  }

  /** Size of the display in pixels; undefined until the helper has reported it. */
  get displaySize(): { width: number; height: number } | undefined {
    const body = this.#shown.get(MessageType.display);
    const display = body && fromHelper.display.decode(body, USER_BYTES);
    return display ? { width: display.width, height: display.height } : undefined;
  }

  forHelper(): Uint8Array[] {
    return TOLD.flatMap(type => this.#told.get(type) ?? []);
  }

  forLink(): Uint8Array[] {
    return SHOWN.flatMap(type => this.#shown.get(type) ?? []);
  }
}
