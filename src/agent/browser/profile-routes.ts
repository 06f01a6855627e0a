import { pipeline } from 'node:stream/promises';
import { RouteError, type Route, type RouteRequest } from '../link/routes.js';
import { PROFILE_FOLDER } from './paths.js';
import { packProfile, unpackProfile } from './profile-archive.js';
import { profileFiles, versionOf } from './profile-files.js';

/** Takes in the profile that the browser begins with, and gives out the one that it has. */
export class ProfileTransfer {
  readonly routes: readonly Route[];
  readonly #endBrowser: () => Promise<void>;
  #state: 'waiting' | 'unpacking' | 'loaded' = 'waiting';
  #resolve = (): void => {};
  /** Resolves when a profile was loaded. */
  readonly loaded = new Promise<void>(resolve => (this.#resolve = resolve));

  /** `endBrowser` resolves when the browser has written everything and is gone. */
  constructor(endBrowser: () => Promise<void>) {
    this.#endBrowser = endBrowser;
    this.routes = [
      { method: 'PUT', path: '/profile', handle: request => this.#load(request) },
      { method: 'GET', path: '/profile', handle: request => this.#save(request) },
    ];
  }

  async #load({ request, response }: RouteRequest): Promise<void> {
    if (this.#state !== 'waiting') throw new RouteError(409, 'profile_loaded', 'A profile has been loaded already.');
    this.#state = 'unpacking';
    try {
      await unpackProfile(request, PROFILE_FOLDER);
    } catch (error) {
      this.#state = 'waiting';
      throw error;
    }
    this.#state = 'loaded';
    this.#resolve();
    response.writeHead(204).end();
  }

  async #save({ request, response, query }: RouteRequest): Promise<void> {
    const live = query.get('live') === '1';
    if (!live) await this.#endBrowser();
    const files = await profileFiles(PROFILE_FOLDER);
    const version = versionOf(files);
    if (live && request.headers['if-none-match'] === version) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/x-tar', etag: version });
    await pipeline(await packProfile(PROFILE_FOLDER, files, live), response);
  }
}
