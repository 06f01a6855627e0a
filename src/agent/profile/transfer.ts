import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isText, type Handover } from '../handover/handover.js';
import { bodyOf } from '../link/body.js';
import { RouteError, type Route, type RouteRequest } from '../link/routes.js';
import { packProfile, type ProfileContent, profileFiles, unpackProfile, versionOf } from './archive.js';

/** The interface of a session's program for profiles. */
export interface ProfileOwner {
  readonly content: ProfileContent;
  /** Ends the program permanently; resolves when it has written everything. */
  finish(): Promise<void>;
}

type State = 'waiting' | 'unpacking' | 'loaded';

const NAME = 'profile';
const isState = (value: unknown): value is State => isText(value) && ['waiting', 'unpacking', 'loaded'].includes(value);

/** Receives the initial profile of the session's program, and returns its current one. */
export class ProfileTransfer {
  readonly routes: readonly Route[];
  readonly #handover: Handover | undefined;
  #state: State;
  #resolve = (): void => {};
  #own = (_owner: ProfileOwner): void => {};
  /** Resolves when a profile was loaded. */
  readonly loaded = new Promise<void>(resolve => (this.#resolve = resolve));
  /** Requests use their own connections, and may arrive before the launch. */
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

  /** Sets the program that owns the profile. */
  launched(owner: ProfileOwner): void {
    this.#own(owner);
  }

  async #load({ request, response }: RouteRequest): Promise<void> {
    if (this.#state === 'loaded' || this.#isUnpacking) {
      throw new RouteError(409, 'profile_loaded', 'A profile has already been loaded.');
    }
    this.#isUnpacking = true;
    try {
      const { content } = await this.#owner;
      // The previous agent started unpacking and could not finish.
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

  /** Ends the program once, however often it is asked to, unless that failed. */
  #finish(owner: ProfileOwner): Promise<void> {
    this.#finished ??= owner.finish().catch(error => {
      this.#finished = undefined;
      throw error;
    });
    return this.#finished;
  }
}
