import { CONNECTION_FILE, type ExtensionConnection } from '../../protocol/extension.js';

/** Reads the credentials that the agent has written for the extension. */
export async function readConnection(): Promise<ExtensionConnection> {
  const response = await fetch(chrome.runtime.getURL(CONNECTION_FILE));
  return (await response.json()) as ExtensionConnection;
}
