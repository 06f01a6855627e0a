import { randomBytes } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Download } from '../../../protocol/generated/schemas.js';
import { hasFields, isNumber, isText, type Handover } from '../../handover/handover.js';
import { answer, RouteError, type Route } from '../../link/routes.js';
import type { Log } from '../../lib/log.js';
import { attachment, freeName, safeName } from '../../files/file-name.js';
import { SettledFiles, type SettledFile } from './settled-files.js';
import { budgetOf } from '../../files/space.js';

/** Maximum number of offered files; the oldest are dropped first. */
const OFFERS_MAX = 100;

/** Maximum number of names that are remembered for files to be saved; the oldest are forgotten first. */
const PLACES_MAX = 100;

interface Offer {
  readonly download: Download;
  readonly file: SettledFile;
}

const NAME = 'downloads';
const isDownload = (value: unknown) => hasFields(value, { id: isText, name: isText, size: isNumber });
const isFile = (value: unknown) => hasFields(value, { name: isText, size: isNumber, version: isText });
const isOffers = (value: unknown): value is Offer[] =>
  Array.isArray(value) && value.every(each => hasFields(each, { download: isDownload, file: isFile }));

export interface DownloadsOptions {
  readonly folder: string;
  readonly handover?: Handover;
  readonly log: Log;
  /** Called with each new offer. */
  readonly offered: (download: Download) => void;
}

/** Offers the files downloaded in the session, as long as there is room for them. */
export class Downloads {
  readonly #options: DownloadsOptions;
  /** Oldest first. */
  #offers: Offer[];
  #files: SettledFiles | undefined;
  /** Names that files were to be saved under, oldest first. */
  #places: string[] = [];

  constructor(options: DownloadsOptions) {
    this.#options = options;
    this.#offers = options.handover?.read(NAME, isOffers) ?? [];
  }

  /** `GET /downloads` lists the offered files, `GET /downloads/{id}` returns one. */
  readonly routes: readonly Route[] = [
    { method: 'GET', path: '/downloads', handle: ({ response }) => answer(response, 200, { downloads: this.list() }) },
    { method: 'GET', path: '/downloads/', handle: ({ rest, response }) => this.#send(rest, response) },
  ];

  async start(): Promise<void> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true });
    this.#files = new SettledFiles(folder, {
      complete: file => void this.#offer(file),
      gone: name => {
        this.#offers = this.#offers.filter(offer => offer.file.name !== name);
        this.#leave();
      },
    });
    // Files completed or removed while no agent was running.
    await this.#files.lookAt(this.#offers.map(({ file }) => file.name));
  }

  stop(): void {
    this.#files?.stop();
  }

  list(): Download[] {
    return this.#offers.map(({ download }) => download);
  }

  /** Where a program can save a file with this name, or a free variant of it. */
  async place(name: string): Promise<string> {
    const { folder } = this.#options;
    const taken = new Set([...(await readdir(folder)), ...this.#places]);
    const free = freeName(safeName(name), taken);
    this.#places = [...this.#places, free].slice(-PLACES_MAX);
    return join(folder, free);
  }

  async #offer(file: SettledFile): Promise<void> {
    // A page may have its file created long before it writes to it.
    if (file.size === 0 && this.#places.includes(file.name)) return;
    if (this.#offers.some(offer => offer.file.version === file.version && offer.file.name === file.name)) return;
    const others = this.#offers.filter(offer => offer.file.name !== file.name);
    const id = randomBytes(12).toString('base64url');
    const download: Download = { type: 'download', id, name: safeName(file.name), size: file.size };
    this.#offers = [...others, { download, file }].slice(-OFFERS_MAX);
    this.#leave();
    this.#options.log.info('download', { bytes: file.size });
    this.#options.offered(download);
    await this.#makeRoom().catch((error: unknown) =>
      this.#options.log.warn('old downloads not removed', { error: String(error) }),
    );
  }

  /** Removes the oldest files until the others fit; the newest is kept whatever its size. */
  async #makeRoom(): Promise<void> {
    const budget = await budgetOf(this.#options.folder);
    let total = this.#offers.reduce((sum, { file }) => sum + file.size, 0);
    while (total > budget && this.#offers.length > 1) {
      const oldest = this.#offers.shift() as Offer;
      total -= oldest.file.size;
      await rm(this.#path(oldest), { force: true });
    }
    this.#leave();
  }

  #leave(): void {
    this.#options.handover?.write(NAME, this.#offers);
  }

  async #send(id: string, response: ServerResponse): Promise<void> {
    const offer = this.#offers.find(({ download }) => download.id === id);
    const file = offer && (await openFile(this.#path(offer)));
    if (offer === undefined || file === undefined)
      throw new RouteError(404, 'download_not_found', 'This file is no longer available.');
    const { size } = await file.stat();
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': size,
      'content-disposition': attachment(offer.download.name),
      'cache-control': 'no-store',
    });
    const source = createReadStream('', { fd: file, end: Math.max(0, size - 1) });
    await pipeline(source, response, { end: false }).catch(() => response.destroy());
    // A file that shrank must not appear complete.
    if (source.bytesRead >= size) response.end();
    else response.destroy();
  }

  #path({ file }: Offer): string {
    return join(this.#options.folder, file.name);
  }
}

/** Opens a file; undefined if it no longer exists, or something else took its name. */
async function openFile(path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}
