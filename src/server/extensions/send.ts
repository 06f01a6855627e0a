import type { AgentRequests } from '../model/index.js';
import { ExtensionError } from './check.js';

/** Sends an agent the extension that its browser waits for. @throws ExtensionError if it cannot be unpacked */
export async function sendExtension(zip: Buffer, agent: AgentRequests, signal: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'application/zip' };
  const answer = await agent.send({ method: 'PUT', path: '/extension', headers, body: zip, signal });
  answer.destroy();
  if (answer.statusCode !== 204)
    throw new ExtensionError('extension_invalid', 'The session could not unpack the extension.');
}
