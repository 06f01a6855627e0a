/** Where and how the agent and its extension in the browser communicate; schemas/extension.json has their messages. */
import { AGENT_PORT } from './message-type.js';

/** ID of the internal extension; it follows from the key in its manifest. */
export const EXTENSION_ID = 'pdjlhelabefhmgihlpaeiinoddgdgdha';

/** Path of the agent's endpoint for the extension. */
export const EXTENSION_PATH = '/extension';

/**
 * What a prepared browser is started on: the agent answers that it has no page (204), so that the tab stays without one
 * and leaves nothing behind when it is closed, as about:blank would among the closed tabs. It is also closed sooner.
 */
export const NO_PAGE_PATH = '/no-page';
export const NO_PAGE = `http://127.0.0.1:${AGENT_PORT}${NO_PAGE_PATH}`;

/** What a tab shows, and what it is about to show. */
interface TabAddress {
  readonly url?: string | undefined;
  readonly pendingUrl?: string | undefined;
}

/** Whether a tab has no page, and waits for none. */
export const isPageless = ({ url, pendingUrl }: TabAddress): boolean => !url && (!pendingUrl || pendingUrl === NO_PAGE);

/** File in the extension's folder that tells it how to reach the agent, and about the session. */
export const CONNECTION_FILE = 'connection.json';

/** Keep-alive interval in milliseconds; Chromium ends extensions that are silent for 30 s. */
export const ALIVE_INTERVAL = 20_000;

/** Maximum length and nesting depth of the extension's messages, in characters and levels. */
export const EXTENSION_MESSAGE_MAX = 500_000;
export const EXTENSION_DEPTH_MAX = 32;

/** Maximum length of an error's text, in characters. */
export const EXTENSION_ERROR_MAX = 4000;

export interface ExtensionConnection {
  readonly port: number;
  readonly secret: string;
}

/** What the file in the extension's folder tells it. */
export interface ExtensionConfiguration extends ExtensionConnection {
  readonly kiosk: boolean;
}

/** Credentials for a proxy that asks for them. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

/** What became of an answer to a dialog: it was given, or the dialog was gone. */
export type DialogOutcome = 'answered' | 'gone';

/** Parts of a page with their own session in the DevTools protocol, such as frames of other sites. */
export type PagePart = 'iframe' | 'worker' | 'service_worker';

/** DevTools commands for a tab's page, later pages, and parts of them. */
export interface TabSetup {
  readonly commands: readonly (readonly [method: string, params?: Record<string, unknown>])[];
  readonly parts: readonly PagePart[];
  /** Whether new parts wait for the commands before they run anything. */
  readonly startsPaused?: boolean;
}
