import type { ChromiumOptions } from '../../../protocol/generated/schemas.js';

export interface Locale {
  /** Language tags in order of preference: `navigator.languages` and the Accept-Language header. */
  readonly languages: readonly string[];
  /** POSIX locale of the browser's UI, such as `de_AT.UTF-8`. */
  readonly posix: string;
}

const FALLBACK = 'en-US';
const LANGUAGES_MAX = 20;

/**
 * Determines the browser's locale. `language` is a list as in an Accept-Language header; pages are requested in its
 * first language as spoken in `country` before all others. The country determines the language if none is given. The
 * browser's UI keeps the requested language and region.
 */
export function locale(options: ChromiumOptions['locale']): Locale {
  const asked = acceptLanguage(options?.language ?? '');
  const country = regionOf(options?.country);
  const first = asked[0] ?? (country ? languageOf(country) : FALLBACK);
  const spoken = spokenIn(first, country);
  const languages = unique([spoken, first, ...asked.slice(1)]);
  return { languages: languages.slice(0, LANGUAGES_MAX), posix: posix(new Intl.Locale(first).region ? first : spoken) };
}

/** The tags of an Accept-Language list, best first, without invalid ones. */
export function acceptLanguage(list: string): string[] {
  const entries = list.split(',').flatMap((part, index) => {
    const [tag = '', ...parameters] = part.split(';').map(text => text.trim());
    const canonical = canonicalTag(tag);
    const q = Number(/^q=([01](?:\.\d{0,3})?)$/i.exec(parameters.join(';'))?.[1] ?? (parameters.length > 0 ? NaN : 1));
    return canonical && q > 0 ? [{ canonical, q, index }] : [];
  });
  entries.sort((a, b) => b.q - a.q || a.index - b.index);
  return unique(entries.map(({ canonical }) => canonical));
}

/** `de` and `de-CH` in Austria are `de-AT`. */
const spokenIn = (tag: string, country: string | undefined) =>
  country ? new Intl.Locale(tag, { region: country }).toString() : tag;

const languageOf = (country: string) => new Intl.Locale(`und-${country}`).maximize().language;

function posix(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return `${language}_${region ?? 'US'}.UTF-8`;
}

function canonicalTag(tag: string): string | undefined {
  try {
    return tag === '' ? undefined : new Intl.Locale(tag).toString();
  } catch {
    return undefined;
  }
}

const regionOf = (country: string | undefined) => (/^[A-Z]{2}$/.test(country ?? '') ? country : undefined);
const unique = (tags: readonly string[]) => [...new Set(tags)];
