import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { frame, FrameParser } from '../../../src/agent/display/framing.js';
import { encodeInput, type InputEvent } from '../../../src/protocol/input.js';
import { MessageType, QUALITY_CODES, type Quality, VideoFlag } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import type { Desktop } from './desktop.js';

const USER_BYTES = 4;
const KEYSYM_RETURN = 0xff0d;

export interface Video {
  at: number;
  key: boolean;
  refinement: boolean;
  number: number;
  /** When the helper took the picture, in microseconds of its own clock. */
  captured: number;
  data: Buffer;
}

export interface DisplaySettings {
  width: number;
  height: number;
  fps?: number;
  quality?: Quality;
  chroma444?: boolean;
}

/** The display helper running on a desktop, as the agent runs it. */
export class Helper {
  /** Messages received so far, without the user, oldest first. */
  readonly messages: { at: number; body: Buffer }[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  log = '';

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    const parser = new FrameParser(body => {
      this.messages.push({ at: performance.now(), body: Buffer.from(body.subarray(USER_BYTES)) });
    });
    child.stdout.on('data', (chunk: Buffer) => parser.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => void (this.log += String(chunk)));
    child.stdin.on('error', () => undefined);
  }

  /** Starts it for a display, and waits for the first message. */
  static async start(t: { teardown(handler: () => unknown): void }, desktop: Desktop, display = ':0'): Promise<Helper> {
    const helper = new Helper(
      spawn('docker', ['exec', '-i', '-e', `DISPLAY=${display}`, desktop.name, 'berth-display']),
    );
    t.teardown(() => helper.stop());
    await until('the helper is up', () => helper.all(MessageType.windows).length > 0);
    return helper;
  }

  /** Starts it with a size, and waits until that is in force. */
  static async sized(t: { teardown(handler: () => unknown): void }, desktop: Desktop, settings: DisplaySettings) {
    const helper = await Helper.start(t, desktop);
    helper.setDisplay(settings);
    await until('the size is in force', () => helper.all(MessageType.display).length > 0);
    return helper;
  }

  /** Bodies of the messages of a type, the type byte included. */
  all(type: number, since = 0): Buffer[] {
    return this.messages.slice(since).flatMap(({ body }) => (body[0] === type ? [body] : []));
  }

  /** Frames received. */
  frames(since = 0): Video[] {
    return this.messages.slice(since).flatMap(({ at, body }) => {
      if (body[0] !== MessageType.video) return [];
      const flags = body.readUInt8(1);
      const key = (flags & VideoFlag.key) !== 0;
      const refinement = (flags & VideoFlag.refinement) !== 0;
      return [
        {
          at,
          key,
          refinement,
          number: body.readUInt32LE(2),
          captured: Number(body.readBigUInt64LE(6)),
          data: body.subarray(14),
        },
      ];
    });
  }

  /** Number of messages so far. */
  get mark(): number {
    return this.messages.length;
  }

  /** Writes bytes as they are. */
  write(bytes: Uint8Array): void {
    this.#child.stdin.write(bytes);
  }

  send(message: Uint8Array, user = 1): void {
    const body = Buffer.alloc(USER_BYTES + message.length);
    body.writeUInt32LE(user);
    body.set(message, USER_BYTES);
    this.write(frame(body));
  }

  input(event: InputEvent, user = 1): void {
    this.send(encodeInput(event), user);
  }

  /** Presses and releases a key. */
  tap(keysym: number): void {
    this.input({ type: 'key', down: true, keysym });
    this.input({ type: 'key', down: false, keysym });
  }

  /** Types one line. */
  line(text: string): void {
    this.input({ type: 'text', text });
    this.tap(KEYSYM_RETURN);
  }

  setDisplay({ width, height, fps = 60, quality = 'smooth', chroma444 = false }: DisplaySettings): void {
    const message = Buffer.alloc(8);
    message.writeUInt8(MessageType.setDisplay);
    message.writeUInt16LE(width, 1);
    message.writeUInt16LE(height, 3);
    message.set([fps, QUALITY_CODES[quality], chroma444 ? 1 : 0], 5);
    this.send(message, 0);
  }

  stream(video: boolean, audio: boolean): void {
    this.send(Uint8Array.of(MessageType.stream, Number(video), Number(audio)), 0);
  }

  keyFrame(): void {
    this.send(Uint8Array.of(MessageType.keyframe), 0);
  }

  rate(kbps: number): void {
    const message = Buffer.from([MessageType.rate, 0, 0, 0, 0]);
    message.writeUInt32LE(kbps, 1);
    this.send(message, 0);
  }

  clipboard(text: string): void {
    this.send(Buffer.concat([Buffer.of(MessageType.clipboard), Buffer.from(text)]));
  }

  /** Waits for a frame, and until nothing has come for longer than a still screen takes to be refined. */
  async still(since = 0): Promise<void> {
    await until('a frame', () => this.frames(since).length > 0);
    await this.quiet();
  }

  /** Waits until nothing has come for `ms`. */
  async quiet(ms = 1000): Promise<void> {
    await until('the helper is quiet', async () => {
      const before = this.mark;
      await wait(ms);
      return this.mark === before;
    });
  }

  pauseReading(): void {
    this.#child.stdout.pause();
  }

  resumeReading(): void {
    this.#child.stdout.resume();
  }

  /** Closes its stdin; gives the status it ends with. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const ended = once(this.#child, 'exit', { signal: AbortSignal.timeout(20_000) });
    this.#child.stdin.end();
    this.#child.stdout.resume();
    await ended;
    return this.#child.exitCode;
  }
}
