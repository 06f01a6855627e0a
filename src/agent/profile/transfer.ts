import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isText, type Handover } from '../handover/handover.js';
import { bodyOf } from '../link/body.js';
import { RouteError, type Route, type RouteRequest } from '../link/routes.js';
import { packProfile, unpackProfile } from './archive.js';
import { profileFiles, versionOf, type ProfileContent } from './files.js';

/** A session's program, as far as profiles go. */
export interface ProfileOwner {
  readonly content: ProfileContent;
  /** Ends the program for good; resolves when it has written everything. */
  finish(): Promise<void>;
}

type State = 'waiting' | 'unpacking' | 'loaded';

const NAME = 'profile';
const isState = (value: unknown): value is State => isText(value) && ['waiting', 'unpacking', 'loaded'].includes(value);

/** Takes in the profile that the session's program begins with, and gives out the one that it has. */
export class ProfileTransfer {
  readonly routes: readonly Route[];
  readonly #handover: Handover | undefined;
  #state: State;
  #resolve = (): void => {};
  #own = (_owner: ProfileOwner): void => {};
  /** Resolves when a profile was loaded. */
  readonly loaded = new Promise<void>(resolve => (this.#resolve = resolve));
  /** Requests come on connections of their own, and may be here before the launch. */
  readonly #owner = new Promise<ProfileOwner>(resolve => (this.#own = resolve));
  #finished: Promise<void> | undefined;
  #isUnpacking = false;

  constructor(handover?: Handover) {
    this.#handover = handover;
    this.#state = handover?.read(NAME, isState) ?? 'waiting';
    if (this.#state === 'loaded') this.#resolve();
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
    if (this.#state === 'loaded' || this.#isUnpacking) {
      throw new RouteError(409, 'profile_loaded', 'A profile has been loaded already.');
    }
    this.#isUnpacking = true;
    try {
      const { content } = await this.#owner;
      // Begun by an agent that could not end it.
      if (this.#state === 'unpacking') await rm(content.folder, { recursive: true, force: true });
      this.#enter('unpacking');
      await unpackProfile(bodyOf(request), content);
    } catch (error) {
      this.#enter('waiting');
      throw error;
    } finally {
      this.#isUnpacking = false;
    }
    this.#enter('loaded');
    this.#resolve();
    response.writeHead(204).end();
  }

  #enter(state: State): void {
    this.#state = state;
    this.#handover?.write(NAME, state);
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
