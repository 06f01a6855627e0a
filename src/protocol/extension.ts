/**
 * What the agent and its extension in the browser say to each other: JSON messages on a WebSocket to the agent's
 * port. The extension's first one is `hello`.
 */

/** ID of the internal extension; it follows from the key in its manifest. */
export const EXTENSION_ID = 'pdjlhelabefhmgihlpaeiinoddgdgdha';

/** Path of the agent's endpoint for the extension. */
export const EXTENSION_PATH = '/extension';

/** File in the extension's folder that tells it how to reach the agent. */
export const CONNECTION_FILE = 'connection.json';

/** Milliseconds between signs of life; Chromium ends extensions that are silent for 30 s. */
export const ALIVE_INTERVAL = 20_000;

/** Largest message of the extension, in characters. */
export const EXTENSION_MESSAGE_MAX = 500_000;

export interface ExtensionConnection {
  readonly port: number;
  readonly secret: string;
}

/** What a proxy that asks for it is told. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}

/** Parts of a page that have a session of their own in the developer tools' protocol: frames of other sites are such. */
export type PagePart = 'iframe' | 'worker' | 'service_worker';

/** Commands of the developer tools' protocol that hold for a tab's page and those that follow, and for parts of them. */
export interface Equipment {
  readonly commands: readonly (readonly [method: string, params?: Record<string, unknown>])[];
  readonly parts: readonly PagePart[];
  /** Whether parts that begin wait for the commands before they run anything. */
  readonly waits?: boolean;
}

/** The agent asks the extension to do something. */
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
