import { CONNECTION_FILE, type ExtensionConfiguration } from '../../protocol/extension.js';

/** Reads what the agent has written for the extension. */
export async function readConnection(): Promise<ExtensionConfiguration> {
  const response = await fetch(chrome.runtime.getURL(CONNECTION_FILE));
  return (await response.json()) as ExtensionConfiguration;
}
