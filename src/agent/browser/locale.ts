import type { ChromiumOptions } from '../../protocol/generated/schemas.js';

export interface Locale {
  /** Language tags in order of preference: `navigator.languages` and the Accept-Language header. */
  readonly languages: readonly string[];
  /** POSIX locale of the browser's own texts, such as `de_AT.UTF-8`. */
  readonly posix: string;
}

const FALLBACK = 'en-US';
const LANGUAGES_MAX = 20;

/**
 * What the browser's locale is. `language` is a list as in an Accept-Language header; `country` is the
 * region where the first language names none, and decides the language where none is given.
 */
export function locale(options: ChromiumOptions['locale']): Locale {
  const asked = acceptLanguage(options?.language ?? '');
  const country = regionOf(options?.country);
  const first = asked[0] ?? (country ? languageOf(country) : FALLBACK);
  const [main, ...others] = withRegion(first, country);
  const languages = unique([main, ...others, ...asked.slice(1)].flatMap(tag => (tag ? [tag] : [])));
  return { languages: languages.slice(0, LANGUAGES_MAX), posix: posix(languages[0] ?? FALLBACK) };
}

/** The tags of an Accept-Language list, best first; what is no language tag is left out. */
export function acceptLanguage(list: string): string[] {
  const entries = list.split(',').flatMap((part, index) => {
    const [tag = '', ...parameters] = part.split(';').map(text => text.trim());
    const canonical = canonicalTag(tag);
    const q = Number(/^q=([01](?:\.\d{0,3})?)$/.exec(parameters.join(';'))?.[1] ?? (parameters.length > 0 ? NaN : 1));
    return canonical && q > 0 ? [{ canonical, q, index }] : [];
  });
  entries.sort((a, b) => b.q - a.q || a.index - b.index);
  return unique(entries.map(({ canonical }) => canonical));
}

/** A tag without region gets it in front of itself: `de` in Austria is `de-AT`, then `de`. */
function withRegion(tag: string, country: string | undefined): string[] {
  const parsed = new Intl.Locale(tag);
  if (!country || parsed.region) return [tag];
  return [new Intl.Locale(tag, { region: country }).toString(), tag];
}

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
