import { stripComments } from 'jsonc-parser';

/** The manifest of an extension as Chromium reads it, with comments and a mark of the byte order; null where it is no object. */
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
