import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EXTENSION_LIMITS, EXTENSION_MAX_BYTES } from '../../../protocol/extension-archive.js';
import { isText, type Handover } from '../../handover/handover.js';
import { zipContent, zipEntries } from '../../../protocol/zip.js';
import { bodyOf } from '../../link/body.js';
import { RouteError, type Route, type RouteRequest } from '../../link/routes.js';
import { extensionFolder } from './extensions.js';

/** Signatures of the web store, which Chromium rejects in an unpacked extension. */
const METADATA = '_metadata';

const NAME = 'extension';
const THERE = 'there';

/** Receives the custom extension that the browser waits for. */
export class ExtensionUpload {
  readonly route: Route = { method: 'PUT', path: '/extension', handle: request => this.#take(request) };
  #state: 'waiting' | 'unpacking' | 'there' = 'waiting';
  readonly #handover: Handover | undefined;
  readonly #cleared: () => Promise<void>;
  #resolve = (): void => {};
  /** Resolves when the extension is in its folder. */
  readonly there = new Promise<void>(resolve => (this.#resolve = resolve));

  /** `cleared` resolves when nothing is in the way of the extension's folder. */
  constructor(handover?: Handover, cleared: () => Promise<void> = () => Promise.resolve()) {
    this.#handover = handover;
    this.#cleared = cleared;
    if (handover?.read(NAME, isText) !== THERE) return;
    this.#state = 'there';
    this.#resolve();
  }

  async #take({ request, response }: RouteRequest): Promise<void> {
    if (this.#state !== 'waiting') throw new RouteError(409, 'extension_there', 'An extension has already been sent.');
    this.#state = 'unpacking';
    const folder = extensionFolder('custom');
    try {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of bodyOf(request) as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > EXTENSION_MAX_BYTES) throw new Error('It is too large.');
        chunks.push(chunk);
      }
      await this.#cleared();
      // The previous agent may have started unpacking it.
      await rm(folder, { recursive: true, force: true });
      await unpack(Buffer.concat(chunks), folder);
    } catch (error) {
      this.#state = 'waiting';
      await rm(folder, { recursive: true, force: true });
      throw new RouteError(400, 'extension_invalid', (error as Error).message);
    }
    this.#state = 'there';
    this.#handover?.write(NAME, THERE);
    this.#resolve();
    response.writeHead(204).end();
  }
}

async function unpack(archive: Buffer, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const entry of zipEntries(archive, EXTENSION_LIMITS)) {
    const target = `${folder}/${entry.path}`;
    if (entry.path.split('/')[0] === METADATA) continue;
    if (entry.folder) {
      await mkdir(target, { recursive: true, mode: 0o700 });
    } else {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await writeFile(target, await zipContent(archive, entry), { flag: 'wx', mode: 0o600 });
    }
  }
}
