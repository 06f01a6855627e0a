import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, parse } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasFields, isNumber, isText, type Handover } from '../handover/handover.js';
import { bodyOf } from '../link/body.js';
import { answer, RouteError, type Route } from '../link/routes.js';
import { safeName } from './file-name.js';
import { budgetOf } from './space.js';

/** Maximum number of files; the oldest are removed first. */
const FILES_MAX = 100;

/** Parent folder of the upload folders; hidden in dialogs. */
const HIDDEN = '.uploads';

interface Upload {
  readonly id: string;
  readonly path: string;
  /** Path of the link that users see in dialogs. */
  readonly shown: string;
  readonly size: number;
}

const NAME = 'uploads';
const isUpload = (value: unknown) => hasFields(value, { id: isText, path: isText, shown: isText, size: isNumber });
const isUploads = (value: unknown): value is Upload[] => Array.isArray(value) && value.every(isUpload);

/**
 * Files that viewers uploaded to the session: each in its own folder, so that it keeps its name, and linked where users
 * look for it in Chromium's own dialog.
 */
export class Uploads {
  readonly #folder: string;
  readonly #handover: Handover | undefined;
  /** Oldest first. */
  #uploads: Upload[];
  /** Bytes of uploads in progress. */
  #incoming = 0;

  constructor(folder: string, handover?: Handover) {
    this.#folder = folder;
    this.#handover = handover;
    this.#uploads = handover?.read(NAME, isUploads) ?? [];
  }

  /** `POST /uploads/{name}`. */
  readonly route: Route = {
    method: 'POST',
    path: '/uploads/',
    handle: async ({ request, response, rest }) => answer(response, 201, { id: await this.#take(rest, request) }),
  };

  async start(): Promise<void> {
    const folder = join(this.#folder, HIDDEN);
    const known = new Set(this.#uploads.map(({ id }) => id));
    await mkdir(folder, { recursive: true });
    // Uploads in progress when the previous agent was killed are incomplete.
    const partial = (await readdir(folder)).filter(id => !known.has(id));
    await Promise.all(partial.map(id => rm(join(folder, id), { recursive: true, force: true })));
  }

  /** Path of an upload; undefined if it no longer exists. */
  path(id: string): string | undefined {
    return this.#uploads.find(upload => upload.id === id)?.path;
  }

  async #take(name: string, request: IncomingMessage): Promise<string> {
    const budget = await budgetOf(this.#folder);
    if (Number(request.headers['content-length'] ?? 0) > budget) throw noRoom();
    const id = randomBytes(12).toString('base64url');
    const folder = join(this.#folder, HIDDEN, id);
    const path = join(folder, safeName(name));
    let size = 0;
    const count = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        size += chunk.length;
        this.#incoming += chunk.length;
        this.#makeRoom(budget).then(
          room => (room ? done(null, chunk) : done(noRoom())),
          (error: Error) => done(error),
        );
      },
    });
    try {
      await mkdir(folder);
      await pipeline(bodyOf(request), count, createWriteStream(path, { flags: 'wx' }));
      this.#uploads.push({ id, path, shown: await this.#show(path), size });
      this.#incoming -= size;
      size = 0;
      await this.#makeRoom(budget);
      this.#handover?.write(NAME, this.#uploads);
      return id;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? noRoom() : error;
    } finally {
      this.#incoming -= size;
    }
  }

  /** Removes the oldest files until the others fit; returns whether they do. */
  async #makeRoom(budget: number): Promise<boolean> {
    const total = () => this.#uploads.reduce((sum, { size }) => sum + size, this.#incoming);
    while (this.#uploads.length > FILES_MAX || (total() > budget && this.#uploads.length > 0)) {
      const oldest = this.#uploads.shift() as Upload;
      await rm(join(this.#folder, HIDDEN, oldest.id), { recursive: true, force: true });
      await rm(oldest.shown, { force: true });
    }
    return total() <= budget;
  }

  /** Links the file under its name, or a free variant of it. */
  async #show(path: string): Promise<string> {
    const { name, ext } = parse(path);
    for (let number = 0; ; number++) {
      const shown = join(this.#folder, number === 0 ? name + ext : `${name} (${number})${ext}`);
      try {
        await link(path, shown);
        return shown;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }
}

const noRoom = () => new RouteError(507, 'no_room', 'The session has no space left for this file.');
