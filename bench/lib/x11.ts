import { XClient, XError } from '../../test/fixtures/x-client.js';

const GET_IMAGE = 73;
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

/** Reads single pixels of an X server without access control. */
export class XPixels {
  readonly #client: XClient;

  private constructor(client: XClient) {
    this.#client = client;
  }

  /** Connects through the server's socket. Rejects if it does not listen. */
  static async connect(path: string): Promise<XPixels> {
    return new XPixels(await XClient.connect(path));
  }

  /** Red, green and blue of a pixel; null if there is none. */
  async at(x: number, y: number): Promise<[number, number, number] | null> {
    const place = Buffer.alloc(16);
    place.writeUInt32LE(this.#client.root, 0);
    place.writeInt16LE(x, 4);
    place.writeInt16LE(y, 6);
    place.writeUInt16LE(1, 8);
    place.writeUInt16LE(1, 10);
    place.writeUInt32LE(ALL_PLANES, 12);
    this.#client.send(GET_IMAGE, Z_PIXMAP, place);
    try {
      const [blue = 0, green = 0, red = 0] = (await this.#client.reply()).rest;
      return [red, green, blue];
    } catch (error) {
      if (error instanceof XError) return null;
      throw error;
    }
  }

  close(): void {
    this.#client.close();
  }
}
