import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const GET_IMAGE = 73;
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
const ERROR = 0;
const REPLY = 1;
const HEADER_BYTES = 32;

/** Reads single pixels of an X server that asks for no password. */
export class XPixels {
  readonly #socket: Socket;
  readonly #root: number;

  private constructor(socket: Socket, root: number) {
    this.#socket = socket;
    this.#root = root;
  }

  /** Connects through the server's socket. Rejects where it does not listen. */
  static async connect(path: string): Promise<XPixels> {
    const socket = connect(path);
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    const hello = Buffer.alloc(12);
    hello.write('l');
    hello.writeUInt16LE(11, 2);
    socket.write(hello);
    const head = await read(socket, 8);
    if (head[0] !== 1) throw new Error('the X server refused the connection');
    return new XPixels(socket, rootOf(await read(socket, head.readUInt16LE(6) * 4)));
  }

  /** Red, green and blue of a pixel; null where there is none. */
  async at(x: number, y: number): Promise<[number, number, number] | null> {
    const request = Buffer.alloc(20);
    request.writeUInt8(GET_IMAGE, 0);
    request.writeUInt8(Z_PIXMAP, 1);
    request.writeUInt16LE(request.length / 4, 2);
    request.writeUInt32LE(this.#root, 4);
    request.writeInt16LE(x, 8);
    request.writeInt16LE(y, 10);
    request.writeUInt16LE(1, 12);
    request.writeUInt16LE(1, 14);
    request.writeUInt32LE(ALL_PLANES, 16);
    this.#socket.write(request);
    const head = await read(this.#socket, HEADER_BYTES);
    if (head[0] === ERROR) return null;
    if (head[0] !== REPLY) throw new Error(`the X server sent something else: ${head[0]}`);
    const [blue = 0, green = 0, red = 0] = await read(this.#socket, head.readUInt32LE(4) * 4);
    return [red, green, blue];
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** The root window of the first screen, from the server's answer to a connection. */
function rootOf(setup: Buffer): number {
  const vendorBytes = setup.readUInt16LE(16);
  const formats = setup.readUInt8(21);
  return setup.readUInt32LE(32 + Math.ceil(vendorBytes / 4) * 4 + formats * 8);
}

/** The next bytes of a socket, exactly so many. */
async function read(socket: Socket, bytes: number): Promise<Buffer> {
  for (;;) {
    const chunk = socket.read(bytes) as Buffer | null;
    if (chunk?.length === bytes) return chunk;
    if (chunk !== null || socket.destroyed || socket.readableEnded) throw new Error('the X server has gone');
    await new Promise<void>(resolve => {
      const go = () => {
        socket.off('readable', go).off('close', go);
        resolve();
      };
      socket.on('readable', go).on('close', go);
    });
  }
}
