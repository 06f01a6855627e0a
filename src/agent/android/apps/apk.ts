import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bodyOf } from '../../link/body.js';
import { RouteError, type Route, type RouteRequest } from '../../link/routes.js';

/** The last bytes of an archive, where its list of files is; large apps have some hundred KiB of it. */
const TAIL_BYTES = 4 << 20;

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1');
const MANIFEST = Buffer.from('AndroidManifest.xml', 'latin1');

/** Whether a file looks like an app for Android: an archive with a manifest. The device checks the rest. */
export async function isApk(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = await file.read(Buffer.alloc(LOCAL_HEADER.length), 0, LOCAL_HEADER.length, 0);
    const length = Math.min(size, TAIL_BYTES);
    const tail = await file.read(Buffer.alloc(length), 0, length, size - length);
    return head.buffer.equals(LOCAL_HEADER) && tail.buffer.includes(MANIFEST);
  } finally {
    await file.close();
  }
}

/** Receives the app of a launch, once. */
export class ApkReceiver {
  readonly #path: string;
  #come = (): void => {};
  #isThere = false;
  /** Resolves with its path when it is there. */
  readonly arrived: Promise<string>;

  constructor(path: string) {
    this.#path = path;
    this.arrived = new Promise(resolve => (this.#come = () => resolve(path)));
  }

  /** Whether the service must still send it. */
  get isMissing(): boolean {
    return !this.#isThere;
  }

  /** `PUT /apk`. */
  readonly route: Route = {
    method: 'PUT',
    path: '/apk',
    handle: async ({ request, response }: RouteRequest) => {
      const partial = `${this.#path}.part`;
      try {
        await mkdir(dirname(this.#path), { recursive: true });
        await pipeline(bodyOf(request), createWriteStream(partial));
        if (!(await isApk(partial))) throw new RouteError(400, 'apk_invalid', 'This file is not an app for Android.');
        await rename(partial, this.#path);
      } catch (error) {
        await rm(partial, { force: true });
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
          throw new RouteError(507, 'no_room', 'The session has no space left for this app.');
        throw error;
      }
      this.#isThere = true;
      this.#come();
      response.writeHead(204).end();
    },
  };
}
