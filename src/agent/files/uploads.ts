import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasFields, isNumber, isText, type Handover } from '../handover/handover.js';
import { bodyOf } from '../link/body.js';
import { answer, RouteError, type Route } from '../link/routes.js';
import { safeMemberName, safeName, variantOf } from './file-name.js';
import { budgetOf } from './space.js';

/** Maximum number of files; the oldest are removed first. */
const FILES_MAX = 100;

/** Maximum number of files in a folder, and of folders from its top to one of them. */
const MEMBERS_MAX = 5000;
const DEPTH_MAX = 32;

/** Parent folder of the upload folders; hidden in dialogs. */
const HIDDEN = '.uploads';

interface Upload {
  readonly id: string;
  readonly path: string;
  /** Path of the link that users see in dialogs; folders have none. */
  readonly shown?: string;
  /** Of a folder: how many files are in it, or on their way. */
  members?: number;
  size: number;
}

const NAME = 'uploads';
const isUpload = (value: unknown) => hasFields(value, { id: isText, path: isText, size: isNumber });
const isUploads = (value: unknown): value is Upload[] => Array.isArray(value) && value.every(isUpload);

/**
 * Files and folders that viewers uploaded to the session: each in a folder of its own, so that it keeps its name. Files
 * are linked where users look for them in a program's own dialog.
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

  /** `POST /uploads/{name}`; with `?folder={id}&path={folders in it}`, the file goes into a folder. */
  readonly route: Route = {
    method: 'POST',
    path: '/uploads/',
    handle: async ({ request, response, rest, query }) => {
      const folder = query.get('folder');
      const folders = (query.get('path') ?? '').split('/').filter(Boolean);
      const taken = folder === null ? this.#take(rest, request) : this.#takeInto(folder, [...folders, rest], request);
      answer(response, 201, { id: await taken });
    },
  };

  /** `POST /folders/{name}`, for programs that take folders. */
  readonly folderRoute: Route = {
    method: 'POST',
    path: '/folders/',
    handle: async ({ response, rest }) => answer(response, 201, { id: await this.#makeFolder(rest) }),
  };

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.#uploads.length === 0;
  }

  async start(): Promise<void> {
    const folder = join(this.#folder, HIDDEN);
    const known = new Set(this.#uploads.map(({ id }) => id));
    await mkdir(folder, { recursive: true });
    // Uploads in progress when the previous agent was killed are incomplete.
    const partial = (await readdir(folder)).filter(id => !known.has(id));
    await Promise.all(partial.map(id => rm(join(folder, id), { recursive: true, force: true })));
  }

  /** Where an upload is; undefined if it no longer exists. */
  find(id: string): { path: string; isFolder: boolean } | undefined {
    const upload = this.#uploads.find(upload => upload.id === id);
    return upload && { path: upload.path, isFolder: upload.members !== undefined };
  }

  async #take(name: string, request: IncomingMessage): Promise<string> {
    const id = newId();
    const folder = join(this.#folder, HIDDEN, id);
    const path = join(folder, safeName(name));
    try {
      await this.#receive(request, path, async size => {
        this.#uploads.push({ id, path, shown: await this.#show(path), size });
      });
      return id;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async #makeFolder(name: string): Promise<string> {
    const id = newId();
    const path = join(this.#folder, HIDDEN, id, safeName(name));
    await mkdir(path, { recursive: true });
    this.#uploads.push({ id, path, members: 0, size: 0 });
    await this.#makeRoom(await budgetOf(this.#folder));
    this.#leave();
    return id;
  }

  /** Takes a file into a folder; `names` lead to it from there. Returns the folder's ID. */
  async #takeInto(id: string, names: readonly string[], request: IncomingMessage): Promise<string> {
    const folder = this.#uploads.find(upload => upload.id === id);
    if (folder?.members === undefined)
      throw new RouteError(404, 'upload_not_found', 'This folder no longer exists; send it again.');
    if (names.length > DEPTH_MAX || folder.members >= MEMBERS_MAX) throw noRoom();
    folder.members++;
    const path = join(folder.path, ...names.map(safeMemberName));
    try {
      await this.#receive(request, path, size => {
        folder.size += size;
      });
      return id;
    } catch (error) {
      folder.members--;
      await rm(path, { force: true });
      throw error;
    } finally {
      // It had to make room meanwhile.
      if (!this.#uploads.includes(folder)) await rm(dirname(folder.path), { recursive: true, force: true });
    }
  }

  /** Writes a file, and has it counted by `taken`, which is given its size. @throws RouteError if there is no room */
  async #receive(request: IncomingMessage, path: string, taken: (size: number) => Promise<void> | void): Promise<void> {
    const budget = await budgetOf(this.#folder);
    if (Number(request.headers['content-length'] ?? 0) > budget) throw noRoom();
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
      await mkdir(dirname(path), { recursive: true });
      await pipeline(bodyOf(request), count, createWriteStream(path));
      await taken(size);
      this.#incoming -= size;
      size = 0;
      await this.#makeRoom(budget);
      this.#leave();
    } catch (error) {
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
      if (oldest.shown !== undefined) await rm(oldest.shown, { force: true });
    }
    return total() <= budget;
  }

  #leave(): void {
    this.#handover?.write(NAME, this.#uploads);
  }

  /** Links the file under its name, or a free variant of it. */
  async #show(path: string): Promise<string> {
    for (let number = 0; ; number++) {
      const shown = join(this.#folder, variantOf(basename(path), number));
      try {
        await link(path, shown);
        return shown;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }
}

const newId = () => randomBytes(12).toString('base64url');
const noRoom = () => new RouteError(507, 'no_room', 'The session has no space left for this file.');
