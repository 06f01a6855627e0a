import type { Adb } from '@yume-chan/adb';
import type { ScrcpyMediaStreamPacket } from '@yume-chan/scrcpy';
import { Control } from '../scrcpy/control.js';
import { startServer, type ScrcpyServer } from '../scrcpy/server.js';
import type { Picture } from './picture.js';
import { RateLadder } from './rates.js';
import { EncoderResets } from './resets.js';

export interface ServersOptions {
  readonly adb: Adb;
  readonly picture: Picture;
  /** Pixels of the picture's longer side, and most frames per second. */
  readonly largestSide: number;
  readonly fps: number;
  /** Bits per second of the first server. */
  readonly bitRate: number;
  /** Whether fingers are down: they stay with the server that they touched first. */
  readonly isHeld: () => boolean;
  /** The device reported its clipboard. */
  readonly clipboard: (text: string) => void;
  /** The server in force has ended. */
  readonly lost: (reason: string) => void;
  readonly warn: (problem: string) => void;
}

interface Running {
  readonly server: ScrcpyServer;
  readonly control: Control;
  /** Bits per second. */
  readonly bitRate: number;
}

/** How long the second server may take for its first key frame, milliseconds: the device may have no encoder left. */
const SWITCH_PATIENCE = 10_000;

/**
 * The scrcpy servers that send the device's picture: one, and while the bit rate changes a second one, which replaces
 * the first with its key frame.
 */
export class PictureServers {
  readonly #options: ServersOptions;
  readonly #resets = new EncoderResets(() => this.#current?.control.reset());
  readonly #ladder: RateLadder;
  #current: Running | undefined;
  #next: Running | undefined;
  /** The one that takes input: the current one, or the one before while fingers are down on it. */
  #touched: Running | undefined;
  #late: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: ServersOptions) {
    this.#options = options;
    this.#ladder = new RateLadder({
      first: options.bitRate,
      change: rate => void this.#change(rate),
      isHeld: () => this.#current === undefined || options.isHeld(),
    });
  }

  /** The control socket for input; undefined while there is no server. */
  get control(): Control | undefined {
    return this.#touched?.control;
  }

  /** Starts the first server. */
  async start(): Promise<void> {
    const running = await this.#launch(this.#options.bitRate);
    this.#current = running;
    this.#touched = running;
    void this.#read(running);
    this.#ladder.freed();
  }

  /** Somebody needs a key frame. */
  requestKey(): void {
    if (!this.#options.picture.repeatKey()) this.#resets.request();
  }

  /** A key frame has come. */
  keyArrived(): void {
    this.#resets.arrived();
  }

  /** Changes the picture's bit rate to one of BIT_RATES. */
  want(bitRate: number): void {
    this.#ladder.want(bitRate);
  }

  /** The last finger is up. */
  freed(): void {
    const before = this.#touched;
    this.#touched = this.#current;
    if (before !== undefined && before !== this.#current) void close(before);
    this.#ladder.freed();
  }

  /** Ends all servers. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#resets.stop();
    this.#ladder.stop();
    clearTimeout(this.#late);
    const running = new Set([this.#current, this.#next, this.#touched]);
    this.#current = this.#next = this.#touched = undefined;
    await Promise.all([...running].flatMap(it => (it === undefined ? [] : [close(it)])));
  }

  async #launch(bitRate: number): Promise<Running> {
    const { adb, largestSide, fps } = this.#options;
    const server = await startServer(adb, { sends: 'picture', largestSide, fps, bitRate });
    const { controller } = server;
    if (controller === undefined) throw new Error('The server accepts no input.');
    const running = { server, control: new Control(controller), bitRate };
    void this.#listen(running);
    return running;
  }

  async #change(rate: number): Promise<void> {
    let running: Running;
    try {
      running = await this.#launch(rate);
    } catch (error) {
      return this.#keep(String(error));
    }
    if (this.#isStopped) return close(running);
    if (this.#next !== undefined) void close(this.#next);
    this.#next = running;
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#giveUp(running, 'no picture came'), SWITCH_PATIENCE);
    void this.#read(running);
  }

  /** The second server is of no use. */
  #giveUp(running: Running, reason: string): void {
    if (running !== this.#next) return;
    this.#next = undefined;
    clearTimeout(this.#late);
    void close(running);
    this.#keep(reason);
  }

  /** The rate stays. */
  #keep(reason: string): void {
    if (this.#isStopped || this.#current === undefined) return;
    this.#ladder.failed(this.#current.bitRate);
    this.#options.warn(`bit rate not changed: ${reason}`);
  }

  async #read(running: Running): Promise<void> {
    let reason = 'the picture ended';
    try {
      const video = await running.server.videoStream;
      if (video === undefined) throw new Error('The server sends no picture.');
      let config: ScrcpyMediaStreamPacket | undefined;
      const reader = video.stream.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const packet = read.value;
        if (running === this.#current) this.#options.picture.take(packet);
        else if (packet.type === 'configuration') config = packet;
        else if (packet.keyframe && running === this.#next) this.#switch(running, config, packet);
      }
    } catch (error) {
      reason = String(error);
    }
    this.#giveUp(running, reason);
    if (running === this.#current && !this.#isStopped) this.#options.lost(reason);
  }

  #switch(running: Running, config: ScrcpyMediaStreamPacket | undefined, key: ScrcpyMediaStreamPacket): void {
    const before = this.#current;
    this.#current = running;
    this.#next = undefined;
    clearTimeout(this.#late);
    if (config !== undefined) this.#options.picture.take(config);
    this.#options.picture.take(key);
    if (this.#options.isHeld()) return;
    this.#touched = running;
    if (before !== undefined) void close(before);
  }

  async #listen(running: Running): Promise<void> {
    const reader = running.server.clipboard?.getReader();
    try {
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
        if (running === this.#touched) this.#options.clipboard(read.value);
    } catch {
      // The server has ended.
    }
  }
}

async function close({ server }: Running): Promise<void> {
  await server.close().catch(() => undefined);
}
