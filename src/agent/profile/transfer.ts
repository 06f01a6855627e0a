import { pipeline } from 'node:stream/promises';
import { RouteError, type Route, type RouteRequest } from '../link/routes.js';
import { packProfile, unpackProfile } from './archive.js';
import { profileFiles, versionOf, type ProfileContent } from './files.js';

/** A session's program, as far as profiles go. */
export interface ProfileOwner {
  readonly content: ProfileContent;
  /** Ends the program for good; resolves when it has written everything. */
  finish(): Promise<void>;
}

/** Takes in the profile that the session's program begins with, and gives out the one that it has. */
export class ProfileTransfer {
  readonly routes: readonly Route[];
  #state: 'waiting' | 'unpacking' | 'loaded' = 'waiting';
  #resolve = (): void => {};
  #own = (_owner: ProfileOwner): void => {};
  /** Resolves when a profile was loaded. */
  readonly loaded = new Promise<void>(resolve => (this.#resolve = resolve));
  /** Requests come on connections of their own, and may be here before the launch. */
  readonly #owner = new Promise<ProfileOwner>(resolve => (this.#own = resolve));
  #finished: Promise<void> | undefined;

  constructor() {
    this.routes = [
      { method: 'PUT', path: '/profile', handle: request => this.#load(request) },
      { method: 'GET', path: '/profile', handle: request => this.#save(request) },
    ];
  }

  /** Says whose profile it is. */
  launched(owner: ProfileOwner): void {
    this.#own(owner);
  }

  async #load({ request, response }: RouteRequest): Promise<void> {
    if (this.#state !== 'waiting') throw new RouteError(409, 'profile_loaded', 'A profile has been loaded already.');
    this.#state = 'unpacking';
    try {
      await unpackProfile(request, (await this.#owner).content);
    } catch (error) {
      this.#state = 'waiting';
      throw error;
    }
    this.#state = 'loaded';
    this.#resolve();
    response.writeHead(204).end();
  }

  async #save({ request, response, query }: RouteRequest): Promise<void> {
    const owner = await this.#owner;
    const live = query.get('live') === '1';
    if (!live) await this.#finish(owner);
    const { content } = owner;
    const files = await profileFiles(content);
    const version = versionOf(files);
    if (live && request.headers['if-none-match'] === version) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/x-tar', etag: version });
    await pipeline(await packProfile(content.folder, files, live), response);
  }

  /** Ends the program, once for all who ask meanwhile or later, unless it failed. */
  #finish(owner: ProfileOwner): Promise<void> {
    this.#finished ??= owner.finish().catch(error => {
      this.#finished = undefined;
      throw error;
    });
    return this.#finished;
  }
}
