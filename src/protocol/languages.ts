/** The languages of what viewers read, by their BCP 47 tags; English is built in. */
export const LANGUAGES = [
  'en',
  'de',
  'es',
  'fr',
  'pt',
  'it',
  'pl',
  'tr',
  'ru',
  'uk',
  'ja',
  'ko',
  'zh-Hans',
  'zh-Hant',
  'ar',
  'he',
] as const;

export type Language = (typeof LANGUAGES)[number];

const KNOWN: ReadonlySet<string> = new Set(LANGUAGES);

const isLanguage = (tag: string): tag is Language => KNOWN.has(tag);

/** Languages that are written from right to left. */
export const isRightToLeft = (language: Language): boolean => ['ar', 'he'].includes(language);

/**
 * The language for a person who reads these, best first: the first one that there is, in any of its regions; English if
 * there is none of them. Tags that are not valid are passed over.
 */
export function negotiate(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = languageOf(tag);
    if (language !== null) return language;
  }
  return 'en';
}

/** Whether it is a language tag, such as `de` or `zh-TW`. */
export const isLanguageTag = (tag: string): boolean => localeOf(tag) !== null;

function languageOf(tag: string): Language | null {
  const locale = localeOf(tag);
  if (locale === null) return null;
  const { language, script } = locale.maximize();
  const scripted = `${language}-${script ?? ''}`;
  if (isLanguage(scripted)) return scripted;
  return isLanguage(language) ? language : null;
}

/** Null if it is not a tag. Old tags, such as `iw`, become today's. */
function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
}
