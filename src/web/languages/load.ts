import { type Language } from '../../protocol/languages.js';
import { ENGLISH_TEXTS, type Table, Texts } from './texts.js';

/** A language that has not come by then is left out, ms: viewers rather read English than wait. */
const WAIT_MS = 3000;

const loaded = new Map<string, Texts>();

/** The sentences of a language if they are here already. */
export const loadedTexts = (language: Language, assets: string): Texts | undefined =>
  language === 'en' ? ENGLISH_TEXTS : loaded.get(addressOf(language, assets));

/**
 * Loads the sentences of a language; English if that fails.
 * @param assets address of the service's files, without a slash at its end
 */
export async function loadTexts(language: Language, assets: string): Promise<Texts> {
  const known = loadedTexts(language, assets);
  if (known !== undefined) return known;
  const address = addressOf(language, assets);
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), WAIT_MS);
  try {
    const answer = await fetch(address, { signal: waiting.signal });
    if (!answer.ok) return ENGLISH_TEXTS;
    const texts = new Texts(language, (await answer.json()) as Table);
    loaded.set(address, texts);
    return texts;
  } catch {
    return ENGLISH_TEXTS;
  } finally {
    clearTimeout(timer);
  }
}

const addressOf = (language: Language, assets: string) => `${assets}/languages/${language}.json`;
