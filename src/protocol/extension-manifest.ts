import { stripComments } from 'jsonc-parser';

/**
 * An extension's manifest as Chromium reads it, allowing comments and a byte order mark; null if it is not an object.
 */
export function parseManifest(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(stripComments(text.replace(/^\uFEFF/, '')));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
