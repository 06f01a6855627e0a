import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../protocol/generated/openapi.js';
import { answer } from './answer.js';
import { followEvents } from './events.js';
import { SessionClient } from './session.js';
import { transport, type TransportOptions } from './transport.js';
import type {
  AndroidOptions,
  ConsoleOptions,
  EventsOptions,
  FeedEvent,
  ProfileFilter,
  ProfileRecord,
  Repeatable,
  SessionCreated,
  SessionFilter,
  SessionListEntry,
  SessionRecord,
  StartOptions,
  TenantDeleted,
  UsageEntry,
  UsageOptions,
} from './types.js';

export interface BerthClientOptions extends TransportOptions {
  /** Address of the service: `https://berth.example.com`. */
  url: string;
  apiKey: string;
  /**
   * Milliseconds until a session must have ended: the service answers once its profile is saved. Default 660000, more
   * than the service itself waits for any profile.
   */
  endTimeout?: number;
}

/** @deprecated Use BerthClientOptions: `BerthOptions` are those of the web SDK. */
export type BerthOptions = BerthClientOptions;

const END_TIMEOUT_MS = 660_000;

/** A start's body, and its key as a header: one of the caller's, or a random one. */
function repeatable<T extends Repeatable>({ idempotencyKey = crypto.randomUUID(), ...body }: T) {
  return { body, params: { header: { 'Idempotency-Key': idempotencyKey } } };
}

/** The REST interface of a service. Every method rejects with a BerthError if the service returns an error. */
export class BerthClient {
  readonly #calls: Client<paths>;
  readonly #options: TransportOptions;
  /** The `fetch` for requests that end a session. */
  readonly #patient: (request: Request) => Promise<Response>;

  /** @throws TypeError if `url` is not an http or https address or `apiKey` is empty */
  constructor({ url, apiKey, endTimeout = END_TIMEOUT_MS, ...options }: BerthClientOptions) {
    if (!/^https?:$/.test(new URL(url).protocol)) throw new TypeError('url must be an http or https address.');
    if (!apiKey) throw new TypeError('apiKey must not be empty.');
    this.#options = options;
    this.#patient = transport({ ...options, timeout: endTimeout });
    this.#calls = createClient<paths>({
      baseUrl: url.replace(/\/+$/, ''),
      headers: { authorization: `Bearer ${apiKey}` },
      fetch: transport(options),
    });
  }

  /**
   * Starts a Chromium session; resolves when it runs. With a `tag`, a session that is already running may be returned
   * instead.
   * @param extension a zip archive or a .crx with an extension to install, at most 1 MB
   */
  async start(options: StartOptions = {}, extension?: Blob | Uint8Array<ArrayBuffer>): Promise<SessionCreated> {
    const { body, params } = repeatable(options);
    if (extension === undefined) return answer(await this.#calls.POST('/v0/vm', { body, params }));
    const parts = new FormData();
    parts.set('body', JSON.stringify({ ...body, extension: { field: 'extension' } }));
    parts.set('extension', new Blob([extension], { type: 'application/zip' }), 'extension.zip');
    // fetch itself sets the content type, including the boundary.
    const headers = { 'content-type': null };
    return answer(await this.#calls.POST('/v0/vm', { body, params, bodySerializer: () => parts, headers }));
  }

  /**
   * Starts a console; resolves when it runs, while its game is still being fetched. With a `tag`, a session that is
   * already running may be returned instead.
   */
  async startConsole(options: ConsoleOptions): Promise<SessionCreated> {
    return answer(await this.#calls.POST('/console', repeatable(options)));
  }

  /**
   * Starts an Android device; resolves before it has booted. With a `tag`, a session that is already running may be
   * returned instead.
   */
  async startAndroid(options: AndroidOptions = {}): Promise<SessionCreated> {
    return answer(await this.#calls.POST('/v0/android', repeatable(options)));
  }

  /**
   * The sessions that fit the filter, without one those that run, oldest first; further pages are requested as needed.
   */
  async *list(filter: SessionFilter = {}): AsyncGenerator<SessionListEntry, void, void> {
    let after: string | null = null;
    do {
      const query: SessionFilter & { after_id?: string } = after === null ? filter : { ...filter, after_id: after };
      const page = answer(await this.#calls.GET('/v0/vm', { params: { query } }));
      yield* page.results;
      after = page.next;
    } while (after !== null);
  }

  /** Reads a session, running or ended. */
  async read(sessionId: string): Promise<SessionRecord> {
    return answer(await this.#calls.GET('/v0/vm/{session_id}', { params: { path: { session_id: sessionId } } }));
  }

  /** Seconds of use per day or month, newest first. */
  async usage(options: UsageOptions = {}): Promise<UsageEntry[]> {
    return answer(await this.#calls.GET('/v0/vm/usage', { params: { query: options } })).usage;
  }

  /**
   * Events of sessions as they happen, at least once each. Goes on by itself after the connection was lost; ends when
   * the caller stops iterating, or by `signal`. Throws a BerthError if the service refuses it.
   */
  events(options: EventsOptions = {}): AsyncGenerator<FeedEvent, void, void> {
    return followEvents(this.#calls, options);
  }

  /** Ends a session; resolves once its profile is saved, if it keeps one: with Android that may take minutes. Idempotent. */
  async end(sessionId: string): Promise<void> {
    const params = { path: { session_id: sessionId } };
    answer(await this.#calls.DELETE('/v0/vm/{session_id}', { params, fetch: this.#patient }));
  }

  /** The profiles that fit the filter, without one all, oldest first; further pages are requested as needed. */
  async *listProfiles(filter: ProfileFilter = {}): AsyncGenerator<ProfileRecord, void, void> {
    let after: string | null = null;
    do {
      const query: ProfileFilter & { after_id?: string } = after === null ? filter : { ...filter, after_id: after };
      const page = answer(await this.#calls.GET('/v0/profiles', { params: { query } }));
      yield* page.results;
      after = page.next;
    } while (after !== null);
  }

  /** Reads what is known of a profile. */
  async readProfile(profileId: string): Promise<ProfileRecord> {
    const params = { path: { profile_id: profileId } };
    return answer(await this.#calls.GET('/v0/profiles/{profile_id}', { params }));
  }

  /** Deletes a profile; rejects with the code `profile_in_use` while a session uses it. */
  async deleteProfile(profileId: string): Promise<void> {
    const params = { path: { profile_id: profileId } };
    answer(await this.#calls.DELETE('/v0/profiles/{profile_id}', { params }));
  }

  /**
   * Ends the sessions of a tenant and deletes its data; its usage only if asked for. Idempotent: a call that was cut off
   * is repeated, and then says what was left.
   */
  async deleteTenant(tenantId: string, { usage = false }: { usage?: boolean } = {}): Promise<TenantDeleted> {
    const params = { path: { tenant_id: tenantId }, query: { usage: usage ? 'true' : 'false' } } as const;
    return answer(await this.#calls.DELETE('/v0/tenants/{tenant_id}', { params, fetch: this.#patient }));
  }

  /** Calls to a session's own address. @throws TypeError if `embedUrl` is invalid */
  session(embedUrl: string, adminToken: string): SessionClient {
    return new SessionClient(embedUrl, adminToken, this.#options);
  }
}
