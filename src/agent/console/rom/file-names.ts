import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';

/** Windows-1252 from 0x80 to 0x9f. What it leaves open has signs here, so that the bytes can be had back. */
const HIGH = '€①‚ƒ„…†‡ˆ‰Š‹Œ②Ž③④‘’“”•–—˜™š›œ⑤žŸ';

const western = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, character => HIGH[character.charCodeAt(0) - 0x80] ?? '');

const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(western(Uint8Array.from({ length: 256 }, (_, byte) => byte)), (character, byte) => [character, byte]),
);

/** Encodings with characters of several bytes, some of which look like ASCII. */
const OTHERS = ['utf-8', 'shift_jis', 'gb18030', 'big5', 'euc-kr'].map(name => new TextDecoder(name, { fatal: true }));

/** The most that file systems take for a name, bytes of UTF-8, and what is left of a longer one, characters. */
const NAME_BYTES = 255;
const KEPT_CHARACTERS = 60;

/** Folders and files that systems put beside those of their users, in lower case. */
const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  ...['__macosx', 'thumbs.db', 'ehthumbs.db', 'desktop.ini', '$recycle.bin', 'system volume information', '@eadir'],
]);

/** Whether a file is hidden or a system's own, such as the attributes that a Mac writes to `__MACOSX/._game.nes`. */
export const isSystemFile = (path: string): boolean =>
  path.split('/').some(part => (/^\.[^/]/.test(part) && part !== '..') || SYSTEM_NAMES.has(part.toLowerCase()));

/**
 * The text of a file that says nothing of its encoding, unless it begins with a byte order mark. What is not UTF-8 is
 * read as Windows-1252; `readingsOf` tells what else it may mean.
 */
export function textOf(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE();
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes);
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : western(bytes);
}

/** What a name may be that `textOf` has read, the likeliest first. */
export function readingsOf(name: string): string[] {
  const bytes = Array.from(name, character => BYTES.get(character) ?? -1);
  if (!bytes.some(byte => byte > 0x7f) || bytes.includes(-1)) return [name];
  const decoded = OTHERS.flatMap(encoding => {
    try {
      return [encoding.decode(Uint8Array.from(bytes))];
    } catch {
      return [];
    }
  });
  return [name, ...decoded];
}

/** A name as a file can have it, and a line of a cue sheet can quote it. */
export function fileName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\u2028\u2029"/\\]/gu, '_');
  return Buffer.byteLength(plain) <= NAME_BYTES ? plain : lastCharacters(plain);
}

const lastCharacters = (name: string) => Array.from(name).slice(-KEPT_CHARACTERS).join('');

/** A name in a sentence. */
export function quoted(name: string): string {
  const plain = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}"]/gu, '?');
  const end = lastCharacters(plain);
  return end === plain ? `"${plain}"` : `"…${end}"`;
}

/** Makes names equal that differ in case only, or in how their accents are written: a Mac writes them apart. */
export const foldedName = (name: string): string => name.normalize('NFC').toLowerCase();

/** What is left of a name whichever encoding it went through. */
export const plainLetters = (name: string): string => foldedName(name).replaceAll(/[^a-z0-9.]/g, '');

/** What a file is called without its extension. */
export const stemOf = (name: string): string => name.slice(0, name.length - extname(name).length);

/** An extension in lower case, without its dot; empty: there is none that a file of a game has. */
export const extensionOf = (path: string): string => /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? '';
