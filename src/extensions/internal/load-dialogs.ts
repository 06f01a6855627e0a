import type { DialogOutcome } from '../../protocol/extension.js';
import type { DialogAnswer } from '../../protocol/generated/schemas.js';
import type { TabDebugger } from './debugger.js';
import type { OpenDialogs } from './open-dialogs.js';

const TYPES = ['auth', 'certificate'] as const;

/** How Chromium ends the loading of a page that wants a name and a password, before it asks for them. */
const WANTS_AUTH = 'net::ERR_INVALID_AUTH_CREDENTIALS';

/** HTTP's status of a page that wants a name and a password. */
const UNAUTHORIZED = 401;

/** Interrupts a document before it is requested, where it wants a name and a password, and where it is answered. */
const DOCUMENTS = {
  patterns: (['Request', 'Response'] as const).map(requestStage => ({
    urlPattern: '*',
    resourceType: 'Document',
    requestStage,
  })),
  handleAuthRequests: true,
};

/** What a page is loaded with that wants a name and a password. */
interface Login {
  readonly origin: string;
  /** Null: nothing, so that it says what it says to those who have none. */
  readonly answer: DialogAnswer | null;
  isGiven: boolean;
}

interface RequestPaused {
  readonly requestId: string;
  readonly responseStatusCode?: number;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
}

interface AuthRequired {
  readonly requestId: string;
  readonly authChallenge: { readonly source?: string; readonly origin: string };
}

/**
 * Questions about pages that are loaded into a tab: for a name and a password, which Chromium asks for on an empty page,
 * and whether to go on although the server's certificate is not valid, in the place of the page. Both end the load with
 * an error, so that requests need not be observed. Parts of pages that want a name and a password are not told of.
 */
export class LoadDialogs {
  readonly #debugger: TabDebugger;
  readonly #listed: OpenDialogs;
  /** What is about to be asked, by tab: the address, and how its load ended. */
  readonly #asking = new Map<number, { readonly url: string; readonly error: string }>();
  readonly #logins = new Map<number, Login>();

  constructor(tabDebugger: TabDebugger, listed: OpenDialogs) {
    this.#debugger = tabDebugger;
    this.#listed = listed;
    const { onBeforeNavigate, onCommitted, onErrorOccurred } = chrome.webNavigation;
    onBeforeNavigate.addListener(({ tabId, frameId }) => {
      if (frameId !== 0) return;
      this.#asking.delete(tabId);
      listed.close(tabId, TYPES);
    });
    onCommitted.addListener(({ tabId, frameId }) => frameId === 0 && this.#endLogin(tabId));
    onErrorOccurred.addListener(({ tabId, frameId, url, error }) => {
      if (frameId !== 0) return;
      this.#endLogin(tabId);
      if (error === WANTS_AUTH || error.startsWith('net::ERR_CERT_')) this.#asking.set(tabId, { url, error });
    });
    // Only then there is something to answer on the display.
    chrome.tabs.onUpdated.addListener((tabId, { status }) => status === 'complete' && this.#ask(tabId));
    chrome.tabs.onRemoved.addListener(tabId => this.#asking.delete(tabId));
    chrome.debugger.onDetach.addListener(({ tabId = -1 }) => this.#logins.delete(tabId));
    chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, params) => {
      if (tabId === undefined || sessionId !== undefined) return;
      if (method === 'Fetch.requestPaused') void this.#paused(tabId, params as object as RequestPaused);
      if (method === 'Fetch.authRequired') this.#authRequired(tabId, params as object as AuthRequired);
    });
  }

  #ask(tabId: number): void {
    const asking = this.#asking.get(tabId);
    if (asking === undefined) return;
    this.#asking.delete(tabId);
    const { url, error } = asking;
    const of = { tab_id: tabId, url };
    if (error === WANTS_AUTH)
      this.#listed.open({ ...of, type: 'auth', message: '' }, answer => this.#login(tabId, url, answer));
    else
      this.#listed.open({ ...of, type: 'certificate', message: error }, answer => this.#decide(tabId, answer !== null));
  }

  /** Loads a page anew, as Chromium does when its own dialog is answered. */
  async #login(tabId: number, url: string, answer: DialogAnswer | null): Promise<DialogOutcome> {
    this.#logins.set(tabId, { origin: new URL(url).origin, answer, isGiven: false });
    try {
      await this.#debugger.send(tabId, 'Fetch.enable', DOCUMENTS);
      await chrome.tabs.reload(tabId);
      return 'answered';
    } catch {
      this.#endLogin(tabId);
      return 'gone';
    }
  }

  async #paused(tabId: number, request: RequestPaused): Promise<void> {
    const { requestId, responseStatusCode, responseHeaders = [] } = request;
    const isRefused = responseStatusCode === UNAUTHORIZED && this.#logins.get(tabId)?.answer === null;
    if (!isRefused) return this.#send(tabId, 'Fetch.continueRequest', { requestId });
    // As it is, Chromium would ask again.
    const content = await this.#debugger.send(tabId, 'Fetch.getResponseBody', { requestId }).catch(() => undefined);
    const { body = '', base64Encoded = true } = (content ?? {}) as { body?: string; base64Encoded?: boolean };
    this.#send(tabId, 'Fetch.fulfillRequest', {
      requestId,
      responseCode: UNAUTHORIZED,
      responseHeaders: responseHeaders.filter(({ name }) => name.toLowerCase() !== 'www-authenticate'),
      body: base64Encoded ? body : btoa(body),
    });
  }

  /** Answers once, and only the site that asked: a redirect could lead to another. */
  #authRequired(tabId: number, { requestId, authChallenge }: AuthRequired): void {
    const login = this.#logins.get(tabId);
    const isMeant =
      login?.isGiven === false && authChallenge.source === 'Server' && authChallenge.origin === login.origin;
    if (login !== undefined && isMeant) login.isGiven = true;
    const { username = '', password = '' } = login?.answer ?? {};
    const response = login?.answer
      ? { response: 'ProvideCredentials', username, password }
      : { response: 'CancelAuth' };
    const authChallengeResponse = isMeant ? response : { response: 'Default' };
    this.#send(tabId, 'Fetch.continueWithAuth', { requestId, authChallengeResponse });
  }

  #endLogin(tabId: number): void {
    if (this.#logins.delete(tabId)) this.#send(tabId, 'Fetch.disable', {});
  }

  /**
   * Leaves the page, or shows it where the agent can go on to the page behind it: extensions cannot attach to it, nor
   * run scripts in it.
   */
  async #decide(tabId: number, goesOn: boolean): Promise<DialogOutcome> {
    try {
      if (goesOn) await show(tabId);
      else await chrome.tabs.goBack(tabId).catch(() => chrome.tabs.update(tabId, { url: 'about:blank' }));
      return 'answered';
    } catch {
      return 'gone';
    }
  }

  #send(tabId: number, method: string, params: Record<string, unknown>): void {
    this.#debugger.send(tabId, method, params).catch(() => undefined);
  }
}

/** Brings a tab and its window to the foreground. */
async function show(tabId: number): Promise<void> {
  const tab = await chrome.tabs.update(tabId, { active: true });
  if (tab !== undefined) await chrome.windows.update(tab.windowId, { focused: true });
}
