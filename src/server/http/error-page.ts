import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRightToLeft, type Language, negotiate } from '../../protocol/languages.js';
import type { ErrorCode, HttpError } from '../model/index.js';

/** What viewers are told by sentences that they read elsewhere, too. */
const SENTENCES: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_token: 'ended_unauthorized',
  session_not_found: 'noSuchSession',
  session_ended: 'ended_request',
};

/**
 * The error page for a person who opens a session's address, in the first of the person's languages that there is.
 * @param wanted language tags, best first
 * @param webFolder has the tables of languages
 */
export async function errorPage(error: HttpError, wanted: readonly string[], webFolder: string): Promise<string> {
  const language = negotiate(wanted);
  const translated = language === 'en' ? undefined : await sentenceIn(language, error.code, webFolder);
  const sentence = escape(translated ?? error.message);
  const lang = translated === undefined ? 'en' : language;
  return `<!doctype html>
<html lang="${lang}" dir="${isRightToLeft(lang) ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${sentence}</title>
<style>
  :root { color-scheme: light dark; font: 1.05rem/1.5 system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 0 1.5rem; text-align: center; }
</style>
<p role="alert">${sentence}</p>
</html>
`;
}

/** Undefined if the table has none, or cannot be read. */
async function sentenceIn(language: Language, code: ErrorCode, webFolder: string): Promise<string | undefined> {
  try {
    const table = JSON.parse(await readFile(join(webFolder, 'languages', `${language}.json`), 'utf8')) as Readonly<
      Record<string, unknown>
    >;
    const sentence = table[SENTENCES[code] ?? `error_${code}`];
    return typeof sentence === 'string' ? sentence : undefined;
  } catch {
    return undefined;
  }
}

const escape = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
