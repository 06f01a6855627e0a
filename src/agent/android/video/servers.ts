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
  /** The device told its clipboard. */
  readonly clipboard: (text: string) => void;
  /** The server in force has ended. */
  readonly lost: (reason: string) => void;
  readonly warn: (problem: string) => void;
}

interface Running {
  readonly server: ScrcpyServer;
  readonly control: Control;
}

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
  #isStopped = false;
  /** A rate that waits until no finger is down. */
  #wantedRate: number | undefined;

  constructor(options: ServersOptions) {
    this.#options = options;
    this.#ladder = new RateLadder(options.bitRate, rate => this.#change(rate));
  }

  /** What takes input; undefined while there is no server. */
  get control(): Control | undefined {
    return this.#touched?.control;
  }

  /** Bits per second. */
  get bitRate(): number {
    return this.#ladder.rate;
  }

  /** Starts the first server. */
  async start(): Promise<void> {
    const running = await this.#launch(this.#options.bitRate);
    this.#current = running;
    this.#touched = running;
    void this.#read(running);
  }

  /** Somebody needs a key frame. */
  requestKey(): void {
    this.#resets.request();
  }

  /** A key frame has come. */
  keyArrived(): void {
    this.#resets.arrived();
  }

  /** The ceiling of the bit rate, in kbit/s. */
  limit(kbps: number): void {
    this.#ladder.limit(kbps);
  }

  /** The last finger is up. */
  freed(): void {
    const before = this.#touched;
    this.#touched = this.#current;
    if (before !== undefined && before !== this.#current) void close(before);
    if (this.#wantedRate !== undefined) this.#change(this.#wantedRate);
  }

  /** Ends all servers. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#resets.stop();
    this.#ladder.stop();
    const running = new Set([this.#current, this.#next, this.#touched]);
    this.#current = this.#next = this.#touched = undefined;
    await Promise.all([...running].flatMap(it => (it === undefined ? [] : [close(it)])));
  }

  async #launch(bitRate: number): Promise<Running> {
    const { adb, largestSide, fps } = this.#options;
    const server = await startServer(adb, { sends: 'picture', largestSide, fps, bitRate });
    const { controller } = server;
    if (controller === undefined) throw new Error('The server takes no input.');
    const running = { server, control: new Control(controller) };
    void this.#listen(running);
    return running;
  }

  #change(rate: number): void {
    if (this.#options.isHeld()) return void (this.#wantedRate = rate);
    this.#wantedRate = undefined;
    this.#launch(rate).then(
      running => {
        if (this.#isStopped) return void close(running);
        if (this.#next !== undefined) void close(this.#next);
        this.#next = running;
        void this.#read(running);
      },
      (error: unknown) => this.#options.warn(`bit rate not changed: ${String(error)}`),
    );
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
    if (running === this.#next) this.#next = undefined;
    if (running === this.#current && !this.#isStopped) this.#options.lost(reason);
  }

  #switch(running: Running, config: ScrcpyMediaStreamPacket | undefined, key: ScrcpyMediaStreamPacket): void {
    const before = this.#current;
    this.#current = running;
    this.#next = undefined;
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
