import { createHash } from 'node:crypto';

const BEGIN = '-----BEGIN';
const BEGIN_END = 'KEY-----';
const END = '-----END';

/**
 * The ID that Chromium gives an extension with this key, if it accepts the key: base64, bare or as in PEM files. For
 * keys that Chromium rejects, the result is arbitrary.
 */
export const idOfKey = (key: string): string => idOf(Buffer.from(base64Of(key), 'base64'));

/** The ID that Chromium gives an unpacked extension without a key; `path` is absolute and contains no symbolic link. */
export const idOfFolder = (path: string): string => idOf(Buffer.from(path));

function idOf(bytes: Buffer): string {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return digest.replace(/./g, digit => String.fromCharCode('a'.charCodeAt(0) + parseInt(digit, 16)));
}

/**
 * Chromium ignores the content of PEM header and footer lines except for their markers, and looks for them after
 * joining lines.
 */
function base64Of(key: string): string {
  if (!key.startsWith(BEGIN)) return key;
  const joined = key.replace(/[ \t\n\v\f\r]+/g, blank => (/[\n\r]/.test(blank) ? '' : ' '));
  const beginEnd = joined.indexOf(BEGIN_END, BEGIN.length);
  const end = joined.lastIndexOf(END);
  return beginEnd < 0 || end < 0 ? '' : joined.slice(beginEnd + BEGIN_END.length, end);
}
