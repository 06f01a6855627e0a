import { isLanguageTag, negotiate } from '../../protocol/languages.js';
import { errorText } from './error-text.js';
import { loadTexts } from './load.js';
import { ENGLISH_TEXTS, type Say, type Sentence } from './texts.js';

let texts = ENGLISH_TEXTS;

/** A sentence in the page's language. */
export let say: Say = texts.say;

/** What an error says, in the page's language where there is a sentence for its code. */
export const sayError = (error: unknown): string => errorText(error, texts);

/** A sentence of others, such as the name of a control. */
export const sayThat = (sentence: Sentence): string => sentence(texts);

/** Several things in the page's language, with an "and". */
export const listed = (things: readonly string[]): string => new Intl.ListFormat(texts.language).format(things);

/** The tag of the page's language. */
export const pageLanguage = (): string => texts.language;

/**
 * Lets the page speak the first of these languages that there is, best first, once that is loaded.
 * @param assets address of the service's files, without a slash at its end
 */
export async function speak(wanted: readonly string[], assets: string): Promise<void> {
  texts = await loadTexts(negotiate(wanted), assets);
  ({ say } = texts);
  document.documentElement.lang = texts.language;
  document.documentElement.dir = texts.direction;
  translate(document);
}

/** What the address says of the language; what is no language tag does not count. */
export const langOf = (tag: string | null): string | undefined =>
  tag !== null && isLanguageTag(tag) ? tag : undefined;

/** Puts the sentences of the page's language in the place of those in its HTML. */
function translate(page: ParentNode): void {
  for (const part of page.querySelectorAll<HTMLElement>('[data-say]')) {
    const values = new Map(
      [...part.querySelectorAll<HTMLElement>('[data-value]')].map(value => [value.dataset['value'], value]),
    );
    const pieces = say(part.dataset['say'] as SimpleKey).split(/\{(\w+)\}/);
    part.replaceChildren(...pieces.map((piece, i) => (i % 2 === 0 ? piece : (values.get(piece) ?? piece))));
  }
  for (const part of page.querySelectorAll<HTMLElement>('[data-say-label]'))
    part.setAttribute('aria-label', say(part.dataset['sayLabel'] as SimpleKey));
}

/** A sentence in which places for values may stay as they are: a test compares the pages with the table. */
type SimpleKey = 'session';
