import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../protocol/generated/openapi.js';
import type { CallArguments, CallResult, OperationName } from '../protocol/calls.js';
import { givenArguments, type MakeCall } from '../protocol/make-call.js';
import { TAB_METHODS, type TabMethod } from '../protocol/tabs.js';
import type { Tabs } from '../protocol/api/tabs.js';
import type { BrowserWindows } from '../protocol/api/windows.js';
import { remoteWindows } from '../protocol/remote-windows.js';
import { remoteAndroid, type AndroidClient } from './android.js';
import { answer } from './answer.js';
import { remoteDialogs, type DialogsClient } from './dialogs.js';
import { remoteConsole, type ConsoleClient } from './console.js';
import { transport, type TransportOptions } from './transport.js';
import type {
  Download,
  Permissions,
  Role,
  SessionCreated,
  SessionUser,
  TimeoutChange,
  TimeoutsInForce,
  TokensRenewal,
  UploadPlace,
} from './types.js';

/** The methods of `chrome.tabs`. */
export type SessionTabs = Pick<Tabs, TabMethod>;

/** The calls that are no part of a kind's object; seats are assigned by `console`. */
type OwnCall = Exclude<OperationName, `${string}.${string}` | 'seats'>;

/** Calls to one session's own address. Every method rejects with a BerthError if the service returns an error. */
export class SessionClient implements Record<OwnCall, unknown> {
  readonly sessionId: string;
  /** The browser's tabs: `session.tabs.update(3, {active: true})`. */
  readonly tabs: SessionTabs;
  /** The browser's windows. */
  readonly windows: BrowserWindows;
  /** The dialogs of a browser that wait for an answer. */
  readonly dialogs: DialogsClient;
  /** The game of a console, and who plays it. */
  readonly console: ConsoleClient;
  /** The device of an Android session. */
  readonly android: AndroidClient;
  readonly #calls: Client<paths>;
  #credential: string;

  /**
   * @param embedUrl the session's `embed_url`, with or without its query
   * @param credential the session's `admin_token`, or the service's API key
   * @throws TypeError if `embedUrl` is not the address of a session
   */
  constructor(embedUrl: string, credential: string, options: TransportOptions = {}) {
    const { origin, pathname } = new URL(embedUrl);
    const [, path, sessionId] = /^(.*)\/s\/([\w-]+)\/?$/.exec(pathname) ?? [];
    if (sessionId === undefined) throw new TypeError('embedUrl must be the embed_url of a session.');
    if (!credential) throw new TypeError('credential must not be empty.');
    this.sessionId = sessionId;
    this.#credential = credential;
    this.#calls = createClient<paths>({
      baseUrl: `${origin}${path}`,
      fetch: transport(options),
    });
    this.#calls.use({
      onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${this.#credential}`),
    });
    const call: MakeCall<OperationName> = (method, args) => this.#call(method, args);
    this.android = remoteAndroid(call);
    this.windows = remoteWindows(call);
    this.console = remoteConsole(call);
    this.dialogs = remoteDialogs(call);
    this.tabs = Object.freeze(
      Object.fromEntries(TAB_METHODS.map(name => [name, (...args: unknown[]) => call(`tabs.${name}`, args)])),
    ) as unknown as SessionTabs;
  }

  /** The connected users, in the order in which they joined. */
  async listUsers(): Promise<SessionUser[]> {
    return answer(await this.#calls.GET('/s/{session_id}/users', { params: { path: this.#path } }));
  }

  /** Disconnects a user, who may reconnect. */
  async disconnect(userId: string): Promise<void> {
    const path = { ...this.#path, user_id: userId };
    answer(await this.#calls.DELETE('/s/{session_id}/users/{user_id}', { params: { path } }));
  }

  /** Grants roles to users. With `exclusive`, to everybody except those users, including users who join later. */
  async addRoles(userIds: string[], roles: Role[], exclusive = false): Promise<void> {
    await this.#call('addRoles', [userIds, roles, exclusive]);
  }

  /** Revokes roles from users. With `exclusive`, from everybody except those users, including users who join later. */
  async removeRoles(userIds: string[], roles: Role[], exclusive = false): Promise<void> {
    await this.#call('removeRoles', [userIds, roles, exclusive]);
  }

  /** Gives the session to one user alone: all others see, hear and do nothing, and their calls about it are refused. */
  async enablePrivacyMode(userId: string): Promise<void> {
    await this.#call('enablePrivacyMode', [userId]);
  }

  /** Gives the session back to everybody. */
  async disablePrivacyMode(): Promise<void> {
    await this.#call('disablePrivacyMode', []);
  }

  /** Changes a user's permissions; resolves with all of them. */
  setPermissions(userId: string, permissions: Permissions): Promise<Permissions> {
    return this.#call('setPermissions', [userId, permissions]);
  }

  /**
   * Changes timeouts, in seconds, and restarts their counters unless `reset` is false; resolves with the timeouts in
   * force.
   */
  async changeTimeouts(change: TimeoutChange = {}): Promise<TimeoutsInForce> {
    const params = { path: this.#path };
    return answer(await this.#calls.POST('/s/{session_id}/timeout', { params, body: change }));
  }

  /**
   * Renews tokens of the session and resolves with those in force. Viewers who joined with a renewed one are
   * disconnected, unless `keep_viewers`. If the admin token is renewed, this client continues with the new one.
   */
  async renewTokens(renewal: TokensRenewal = {}): Promise<SessionCreated> {
    const params = { path: this.#path };
    const renewed = answer(await this.#calls.POST('/s/{session_id}/tokens', { params, body: renewal }));
    if (renewal.admin ?? renewal.embed === undefined) this.#credential = renewed.admin_token;
    return renewed;
  }

  /** Resets the inactivity timeout. */
  async ping(): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/ping', { params: { path: this.#path } }));
  }

  /** Appends the bookmarks of a Netscape bookmark file; resolves with their number. */
  async appendBookmarks(html: string): Promise<number> {
    const outcome = await this.#calls.POST('/s/{session_id}/bookmarks', {
      params: { path: this.#path },
      body: html,
      bodySerializer: body => body,
      headers: { 'content-type': 'text/html' },
    });
    return answer(outcome).appended;
  }

  /** The display as PNG, in this width in pixels or full size. */
  async takeScreenshot(width?: number): Promise<Blob> {
    const query = width === undefined ? {} : { width: String(width) };
    const params = { path: this.#path, query };
    return answer<Blob>(await this.#calls.GET('/s/{session_id}/screenshot', { params, parseAs: 'blob' }));
  }

  /** The files that were downloaded in the session, oldest first. */
  async listDownloads(): Promise<Download[]> {
    return answer(await this.#calls.GET('/s/{session_id}/downloads', { params: { path: this.#path } })).downloads;
  }

  /** A file that was downloaded in the session, as a stream. */
  async download(id: string): Promise<ReadableStream<Uint8Array>> {
    const params = { path: { ...this.#path, file: id } };
    const outcome = await this.#calls.GET('/s/{session_id}/downloads/{file}', { params, parseAs: 'stream' });
    return answer<ReadableStream<Uint8Array>>(outcome as never);
  }

  /**
   * Uploads a file to the session, into a folder if there is one; resolves with the ID of the file, or of the folder.
   */
  async upload(name: string, file: Blob | Uint8Array<ArrayBuffer>, place: UploadPlace = {}): Promise<string> {
    const outcome = await this.#calls.POST('/s/{session_id}/uploads/{name}', {
      params: { path: { ...this.#path, name }, query: place },
      body: '',
      bodySerializer: () => file,
      headers: { 'content-type': 'application/octet-stream' },
    });
    return answer(outcome).id;
  }

  /** Makes a folder in the session, for uploads; resolves with its ID. */
  async createFolder(name: string): Promise<string> {
    const params = { path: { ...this.#path, name } };
    return answer(await this.#calls.POST('/s/{session_id}/folders/{name}', { params })).id;
  }

  /** @deprecated Use listUsers. */
  users(): Promise<SessionUser[]> {
    return this.listUsers();
  }

  /** @deprecated Use changeTimeouts. */
  timeout(change: TimeoutChange = {}): Promise<TimeoutsInForce> {
    return this.changeTimeouts(change);
  }

  /** @deprecated Use appendBookmarks. */
  bookmarks(html: string): Promise<number> {
    return this.appendBookmarks(html);
  }

  /** @deprecated Use takeScreenshot. */
  screenshot(width?: number): Promise<Blob> {
    return this.takeScreenshot(width);
  }

  /** @deprecated Use listDownloads. */
  downloads(): Promise<Download[]> {
    return this.listDownloads();
  }

  /** Makes a call that viewers can make, too: each has an operation of the same form. */
  async #call<M extends OperationName>(method: M, args: CallArguments<M>): Promise<CallResult<M>> {
    const path = `/s/{session_id}/${method}` as '/s/{session_id}/addRoles';
    const body = givenArguments(args) as never;
    return answer(await this.#calls.POST(path, { params: { path: this.#path }, body })) as CallResult<M>;
  }

  get #path(): { session_id: string } {
    return { session_id: this.sessionId };
  }
}
