import { randomBytes } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { CONNECTION_FILE, type ExtensionConnection } from '../../../protocol/extension.js';
import { isText, type Handover } from '../../handover/handover.js';
import type { ChromiumOptions } from '../../../protocol/generated/schemas.js';
import { AGENT_PORT } from '../../../protocol/message-type.js';
import { writeAndroidExtension } from './android-extension.js';
import { BUILT_IN_EXTENSIONS, EXTENSION_FOLDER } from '../paths.js';

/**
 * Names of the extensions that a session has, in the order in which Chromium loads them. It reads their rules and
 * their scripts one after the other: when the last one runs, those before it are in force.
 */
export function extensionNames(options: ChromiumOptions): string[] {
  return [
    ...(options.user_agent === 'chrome_android' ? ['android'] : []),
    ...(options.adblock ? ['adblock'] : []),
    ...(options.draw ? ['draw'] : []),
    ...(options.extension ? ['custom'] : []),
    'internal',
  ];
}

/** The folder that Chromium loads an extension from. */
export const extensionFolder = (name: string) => `${EXTENSION_FOLDER}/${name}`;

/** What the internal extension needs to reach the agent, and any that takes its place. New for every container. */
export function connectionFor(handover: Handover): ExtensionConnection {
  const left = handover.read('extension-secret', isText);
  const secret = left ?? randomBytes(32).toString('base64url');
  if (left === undefined) handover.write('extension-secret', secret);
  return { port: AGENT_PORT, secret };
}

/** Lays down a session's extensions but for the custom one, which comes from the service; gives the folders of all. */
export async function installExtensions(options: ChromiumOptions, connection: ExtensionConnection): Promise<string[]> {
  const names = extensionNames(options);
  await Promise.all(names.map(name => install(name, options, connection)));
  return names.map(extensionFolder);
}

async function install(name: string, options: ChromiumOptions, connection: ExtensionConnection): Promise<void> {
  const folder = extensionFolder(name);
  if (name === 'android') return writeAndroidExtension(folder);
  if (name === 'custom') return;
  await cp(`${BUILT_IN_EXTENSIONS}/${name}`, folder, { recursive: true });
  if (name !== 'internal') return;
  await writeFile(`${folder}/${CONNECTION_FILE}`, JSON.stringify(connection), { mode: 0o600 });
  if (options.http_proxy?.username !== undefined) await letAnswerProxies(`${folder}/manifest.json`);
}

/**
 * Lets the internal extension answer proxies that ask who is there. Only where it has to: while an extension may look
 * at requests, each takes the long way through the browser's main process.
 */
async function letAnswerProxies(path: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { permissions: string[] };
  const permissions = [...manifest.permissions, 'webRequest', 'webRequestAuthProvider'];
  await writeFile(path, JSON.stringify({ ...manifest, permissions }));
}
