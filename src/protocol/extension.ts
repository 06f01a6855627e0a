/**
 * The protocol between the agent and its extension in the browser: JSON messages on a WebSocket to the agent's port.
 * The extension's first one is `hello`.
 */

/** ID of the internal extension; it follows from the key in its manifest. */
export const EXTENSION_ID = 'pdjlhelabefhmgihlpaeiinoddgdgdha';

/** Path of the agent's endpoint for the extension. */
export const EXTENSION_PATH = '/extension';

/** File in the extension's folder that tells it how to reach the agent. */
export const CONNECTION_FILE = 'connection.json';

/** Keep-alive interval in milliseconds; Chromium ends extensions that are silent for 30 s. */
export const ALIVE_INTERVAL = 20_000;

/** Largest message of the extension, in characters. */
export const EXTENSION_MESSAGE_MAX = 500_000;

export interface ExtensionConnection {
  readonly port: number;
  readonly secret: string;
}

/** Credentials for a proxy that asks for them. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

/** Parts of a page with their own session in the DevTools protocol, such as frames of other sites. */
export type PagePart = 'iframe' | 'worker' | 'service_worker';

/** DevTools commands for a tab's page, later pages, and parts of them. */
export interface Equipment {
  readonly commands: readonly (readonly [method: string, params?: Record<string, unknown>])[];
  readonly parts: readonly PagePart[];
  /** Whether new parts wait for the commands before they run anything. */
  readonly waits?: boolean;
}

/** A call from the agent to the extension. */
export interface ExtensionCall {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type FromExtension =
  | { readonly type: 'hello'; readonly secret: string }
  | { readonly type: 'alive' }
  /** The answer to a call: its value, or the text of its error. */
  | { readonly type: 'result'; readonly id: number; readonly value?: unknown; readonly error?: string }
  | { readonly type: 'event'; readonly name: string; readonly args: readonly unknown[] };
