import { createSocket, type Socket } from 'node:dgram';
import { PAD_AXES, PAD_BUTTONS, PLAYERS, type PadEvent } from '../../protocol/pad.js';

const HOST = '127.0.0.1';
const FIRST_PORT = 55400;
const PACKET_BYTES = 20;
const FULL = 32767;
const DEVICE = { button: 1, axis: 5 } as const;

/** The datagram for a change (RetroArch's network RetroPad). */
export function padPacket(change: PadEvent): Buffer {
  const packet = Buffer.alloc(PACKET_BYTES);
  packet.writeInt32LE(change.player, 0);
  packet.writeInt32LE(DEVICE[change.control], 4);
  if (change.control === 'button') {
    packet.writeInt32LE(change.id, 12);
    packet.writeUInt16LE(change.down ? 1 : 0, 16);
  } else {
    packet.writeInt32LE(change.id >> 1, 8);
    packet.writeInt32LE(change.id & 1, 12);
    packet.writeInt16LE(Math.round(change.value * FULL), 16);
  }
  return packet;
}

/** The pads of four players, plugged into the emulator over the loopback interface. */
export class Pads {
  readonly #socket: Socket;
  #isStopped = false;

  constructor() {
    this.#socket = createSocket('udp4');
    this.#socket.on('error', () => undefined);
    this.#socket.unref();
  }

  /** Sends a change to the emulator; it is lost if nobody listens, and ignored once the pads are unplugged. */
  change(change: PadEvent): void {
    // Links are still open while the session's programs end, and their input must not crash the agent.
    if (this.#isStopped) return;
    this.#socket.send(padPacket(change), FIRST_PORT + change.player, HOST);
  }

  /** Releases everything on one pad. */
  release(player: number): void {
    for (let id = 0; id < PAD_BUTTONS; id++) this.change({ type: 'pad', player, control: 'button', id, down: false });
    for (let id = 0; id < PAD_AXES; id++) this.change({ type: 'pad', player, control: 'axis', id, value: 0 });
  }

  releaseAll(): void {
    for (let player = 0; player < PLAYERS; player++) this.release(player);
  }

  /** Unplugs them. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#socket.close();
  }
}
