/** What secrets look like in a text: credentials and queries of addresses, bearers, the environment of containers. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/?#@"']{1,1024}@/gi, '$1[secret]@'],
  [/([a-z][a-z0-9+.-]{0,31}:\/\/[^\s?"']{1,2048}\?)[^\s"']+/gi, '$1[secret]'],
  [/\b(bearer\s+)[\x21-\x7e]+/gi, '$1[secret]'],
  [/\b(BERTH_[A-Z_]{0,64}(?:SECRET|SECRETS|KEY|KEYS|PASSWORD)=)[^\s"',]+/g, '$1[secret]'],
];

/** Longest text that is looked through; of longer ones the rest is left out. */
const MAX_CHARACTERS = 8192;

/** The text without what looks like a secret. */
export function withoutSecretText(text: string): string {
  const short = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)} …` : text;
  return PATTERNS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), short);
}
