import { XClient, XError } from '../../test/fixtures/displays/x-client.js';

const GET_IMAGE = 73;
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

/** Reads pixels of an X server without access control. */
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
    try {
      const [blue = 0, green = 0, red = 0] = await this.area(x, y, 1, 1);
      return [red, green, blue];
    } catch (error) {
      if (error instanceof XError) return null;
      throw error;
    }
  }

  /** Blue, green, red and an unused byte of each pixel of an area. @throws XError if the screen does not contain it */
  async area(x: number, y: number, width: number, height: number): Promise<Buffer> {
    const place = Buffer.alloc(16);
    place.writeUInt32LE(this.#client.root, 0);
    place.writeInt16LE(x, 4);
    place.writeInt16LE(y, 6);
    place.writeUInt16LE(width, 8);
    place.writeUInt16LE(height, 10);
    place.writeUInt32LE(ALL_PLANES, 12);
    this.#client.send(GET_IMAGE, Z_PIXMAP, place);
    return (await this.#client.reply()).rest;
  }

  close(): void {
    this.#client.close();
  }
}
