import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { CONNECTION_FILE, type ExtensionConfiguration, type ExtensionConnection } from '../../../protocol/extension.js';
import { isText, type Handover } from '../../handover/handover.js';
import type { ChromiumOptions } from '../../../protocol/generated/schemas.js';
import { AGENT_PORT } from '../../../protocol/message-type.js';
import { writeAndroidExtension } from './android-extension.js';
import { BUILT_IN_EXTENSIONS, EXTENSION_FOLDER } from '../paths.js';

/** The extension of the preset `chrome_android`, which is written and not copied. */
const PRESET = 'android';

/**
 * Names of a session's extensions, in the order in which Chromium loads them. It processes their rules and scripts
 * sequentially: when the last one runs, the earlier ones are active.
 */
export function extensionNames(options: ChromiumOptions): string[] {
  return [
    ...(options.user_agent === 'chrome_android' ? [PRESET] : []),
    ...(options.adblock ? ['adblock'] : []),
    ...(options.draw ? ['draw'] : []),
    ...(options.extension ? ['custom'] : []),
    'internal',
  ];
}

/** The folder from which Chromium loads an extension. */
export const extensionFolder = (name: string) => `${EXTENSION_FOLDER}/${name}`;

/** Credentials with which the internal extension reaches the agent, including later agents. New for every container. */
export function connectionFor(handover: Handover): ExtensionConnection {
  const left = handover.read('extension-secret', isText);
  const secret = left ?? randomBytes(32).toString('base64url');
  if (left === undefined) handover.write('extension-secret', secret);
  return { port: AGENT_PORT, secret };
}

/** Installs a session's extensions except the custom one, which the service sends; returns the folders of all. */
export function installExtensions(options: ChromiumOptions, connection: ExtensionConnection): string[] {
  const names = extensionNames(options);
  for (const name of names) install(name, options, connection);
  return names.map(extensionFolder);
}

function install(name: string, options: ChromiumOptions, connection: ExtensionConnection): void {
  const folder = extensionFolder(name);
  if (name === PRESET) return writeAndroidExtension(folder);
  if (name === 'custom') return;
  cpSync(`${BUILT_IN_EXTENSIONS}/${name}`, folder, { recursive: true });
  if (name !== 'internal') return;
  const configuration: ExtensionConfiguration = { ...connection, kiosk: options.kiosk };
  writeFileSync(`${folder}/${CONNECTION_FILE}`, JSON.stringify(configuration), { mode: 0o600 });
  if (options.http_proxy?.username !== undefined) letAnswerProxies(`${folder}/manifest.json`);
}

/**
 * Lets the internal extension answer proxy authentication. Only if necessary: while an extension may inspect requests,
 * each one takes a detour through the browser's main process.
 */
function letAnswerProxies(path: string): void {
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { permissions: string[] };
  const permissions = [...manifest.permissions, 'webRequest', 'webRequestAuthProvider'];
  writeFileSync(path, JSON.stringify({ ...manifest, permissions }));
}
