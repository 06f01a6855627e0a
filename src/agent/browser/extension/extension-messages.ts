import type { FromExtension } from '../../../protocol/extension.js';

/** Parses a message of the extension; null if it is invalid. */
export function parseFromExtension(text: string): FromExtension | null {
  try {
    const message = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    return isFromExtension(message) ? (message as FromExtension) : null;
  } catch {
    return null;
  }
}

function isFromExtension(message: Partial<Record<string, unknown>> | null): boolean {
  switch (message?.['type']) {
    case 'hello':
      return typeof message['secret'] === 'string';
    case 'alive':
      return true;
    case 'result':
      return Number.isSafeInteger(message['id']) && ['string', 'undefined'].includes(typeof message['error']);
    case 'event':
      return typeof message['name'] === 'string' && Array.isArray(message['args']);
    default:
      return false;
  }
}
