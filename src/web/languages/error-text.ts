import type { Texts } from './texts.js';

/** What an error says to viewers: by its code, if there is a sentence for that, and otherwise in its own words. */
export function errorText(error: unknown, texts: Texts): string {
  const { code, message } = error as Error & { code?: unknown };
  return texts.translated(`error_${String(code)}`, message);
}
