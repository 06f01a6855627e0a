import { connect as connectTcp, type Socket } from 'node:net';
import {
  Adb,
  AdbDaemonTransport,
  AdbPacket,
  AdbPacketSerializeStream,
  type AdbAuthenticator,
  type AdbCredentialStore,
} from '@yume-chan/adb';
import {
  Consumable,
  PushReadableStream,
  StructDeserializeStream,
  WritableStream,
  pipeFrom,
} from '@yume-chan/stream-extra';

/** Where a device's adbd listens. */
export interface AdbAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Milliseconds that one attempt may take. Whatever takes connections for a device that is not there yet may never answer
 * on them, so that another attempt must follow.
 */
const PATIENCE = 10_000;

export interface ConnectOptions {
  /** Milliseconds that the attempt may take. */
  readonly patience?: number;
  /** Bytes that the device may send in all; more close the connection. Unlimited by default. */
  readonly maxBytes?: number;
  /** How the device is convinced; by the keys unless given. */
  readonly authenticators?: readonly AdbAuthenticator[];
}

/**
 * Connects to a device's adbd, without an adb server in between. Rejects when the signal aborts, or the device does not
 * answer, or does not take the key.
 */
export async function connectAdb(
  address: AdbAddress,
  keys: AdbCredentialStore,
  signal: AbortSignal,
  { patience = PATIENCE, maxBytes = Infinity, authenticators }: ConnectOptions = {},
): Promise<Adb> {
  const socket = connectTcp({ ...address, noDelay: true });
  const abort = () => socket.destroy(new Error('The device did not answer in time.'));
  signal.addEventListener('abort', abort);
  const timer = setTimeout(abort, patience);
  try {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      socket
        .once('connect', resolve)
        .once('error', reject)
        .once('close', () => reject(new Error('closed')));
    });
    socket.removeAllListeners();
    const transport = await AdbDaemonTransport.authenticate({
      serial: `${address.host}:${address.port}`,
      connection: { readable: packetsOf(socket, maxBytes), writable: sinkOf(socket) },
      credentialStore: keys,
      ...(authenticators === undefined ? {} : { authenticators }),
    });
    return new Adb(transport);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** What the device sends. A lost connection ends it. */
function packetsOf(socket: Socket, maxBytes: number) {
  const bytes = new PushReadableStream<Uint8Array>(controller => {
    socket.on('data', (data: Buffer) => {
      if (socket.bytesRead > maxBytes) return void socket.destroy(new Error('The device sent too much.'));
      socket.pause();
      controller.enqueue(data).then(
        () => socket.resume(),
        () => socket.destroy(),
      );
    });
    // After an error, too: what the device had sent stays readable.
    socket.on('error', () => undefined);
    socket.on('close', () => controller.close());
    controller.abortSignal.addEventListener('abort', () => socket.destroy());
  });
  return bytes.pipeThrough(new StructDeserializeStream(AdbPacket));
}

/**
 * What the device is sent. A write to a lost connection does not fail, since not everything that the library sends has
 * somebody who waits for it: the end of what the device sends tells of the loss.
 */
function sinkOf(socket: Socket) {
  const bytes = new WritableStream<Consumable<Uint8Array>>({
    write: chunk =>
      chunk.tryConsume(
        data =>
          new Promise<void>(resolve => {
            if (socket.destroyed) return resolve();
            // The serializer uses one buffer for all headers.
            socket.write(Buffer.from(data), () => resolve());
          }),
      ),
    close: () => void socket.end(),
    abort: () => void socket.destroy(),
  });
  return pipeFrom(bytes, new AdbPacketSerializeStream());
}
