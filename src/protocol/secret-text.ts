/**
 * Patterns of secrets in texts: credentials and query strings of addresses, bearer tokens, the environment of
 * containers.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/?#@"']{1,1024}@/gi, '$1[secret]@'],
  [/([a-z][a-z0-9+.-]{0,31}:\/\/[^\s?"']{1,2048}\?)[^\s"']+/gi, '$1[secret]'],
  [/\b(bearer\s+)[\x21-\x7e]+/gi, '$1[secret]'],
  [/\b(BERTH_[A-Z_]{0,64}(?:SECRET|SECRETS|KEY|KEYS|PASSWORD)=)[^\s"',]+/g, '$1[secret]'],
];

/** Maximum length of text that is searched; longer texts are truncated. */
const MAX_CHARACTERS = 8192;

/** Redacts what looks like a secret. */
export function withoutSecretText(text: string): string {
  const short = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)} …` : text;
  return PATTERNS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), short);
}
