import { randomBytes } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { CONNECTION_FILE, type ExtensionConnection } from '../../protocol/extension.js';
import type { ChromiumOptions } from '../../protocol/generated/schemas.js';
import { AGENT_PORT } from '../../protocol/message-type.js';
import { writeAndroidExtension } from './android-extension.js';
import { BUILT_IN_EXTENSIONS, EXTENSION_FOLDER } from './paths.js';
import { startUrl } from './start-url.js';

/** Names of the extensions that a session has, in the order in which Chromium loads them. */
export function extensionNames(options: ChromiumOptions): string[] {
  return [
    'internal',
    ...(options.user_agent === 'chrome_android' ? ['android'] : []),
    ...(options.adblock ? ['adblock'] : []),
    ...(options.draw ? ['draw'] : []),
    ...(options.extension ? ['custom'] : []),
  ];
}

/** The folder that Chromium loads an extension from. */
export const extensionFolder = (name: string) => `${EXTENSION_FOLDER}/${name}`;

/** What the internal extension needs to reach the agent. New for every container. */
export const newConnection = (): ExtensionConnection => ({
  port: AGENT_PORT,
  secret: randomBytes(32).toString('base64url'),
});

/** Lays down a session's extensions but for the custom one, which comes from the service; gives the folders of all. */
export async function installExtensions(options: ChromiumOptions, connection: ExtensionConnection): Promise<string[]> {
  const names = extensionNames(options);
  await Promise.all(names.map(name => install(name, options, connection)));
  return names.map(extensionFolder);
}

async function install(name: string, options: ChromiumOptions, connection: ExtensionConnection): Promise<void> {
  const folder = extensionFolder(name);
  if (name === 'android') return writeAndroidExtension(folder, startUrl(options.start_url));
  if (name === 'custom') return;
  await cp(`${BUILT_IN_EXTENSIONS}/${name}`, folder, { recursive: true });
  if (name === 'internal') await writeFile(`${folder}/${CONNECTION_FILE}`, JSON.stringify(connection), { mode: 0o600 });
}
