import { EXTENSION_DEPTH_MAX, EXTENSION_MESSAGE_MAX } from '../../../protocol/extension.js';
import type { FromExtension } from '../../../protocol/generated/schemas.js';
import isFromExtension from '../../../protocol/generated/from-extension.js';

/** Parses a message of the extension; null if it is invalid. A compromised browser can send anything. */
export function parseFromExtension(text: string): FromExtension | null {
  if (text.length > EXTENSION_MESSAGE_MAX) return null;
  try {
    const message: unknown = JSON.parse(text);
    return isFromExtension(message) && isWithinDepth(message, EXTENSION_DEPTH_MAX) ? message : null;
  } catch {
    return null;
  }
}

/** Whether a value nests at most `depth` levels: deeper ones would exhaust the stack of whatever walks through them. */
function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every(inner => isWithinDepth(inner, depth - 1));
}
