import type { Adb } from '@yume-chan/adb';
import type { AdbScrcpyAudioStreamMetadata } from '@yume-chan/adb-scrcpy';
import { startServer, type ScrcpyServer } from './scrcpy/server.js';
import { audioMessage } from './video/messages.js';

/** API level of the first version of Android whose sound can be captured: 11. */
export const SOUND_API_LEVEL = 30;

/** The device's sound: its encoder's Opus packets as messages to viewers, untouched, without its configuration. */
export class Sound {
  readonly #show: (body: Buffer) => void;
  #server: ScrcpyServer | undefined;
  #isStopped = false;
  #sequence = 0;
  /** Whether anybody listens. */
  isWanted = false;

  constructor(show: (body: Buffer) => void) {
    this.#show = show;
  }

  /** Starts a server that captures it; resolves with the reason when the sound has ended. */
  async run(adb: Adb): Promise<string> {
    const server = await startServer(adb, { sends: 'sound' });
    this.#server = server;
    if (this.#isStopped) await this.stop();
    const audio = await (server.audioStream as Promise<AdbScrcpyAudioStreamMetadata>);
    if (audio.type !== 'success') return `sound is ${audio.type}`;
    const reader = audio.stream.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const packet = read.value;
      if (packet.type === 'configuration' || !this.isWanted) continue;
      this.#sequence = (this.#sequence + 1) >>> 0;
      this.#show(audioMessage(this.#sequence, packet.pts ?? 0n, packet.data));
    }
    return 'sound ended';
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#server?.close().catch(() => undefined);
  }
}
