import { parse } from 'node:path';

/** Maximum length of a file name, in bytes of UTF-8, leaving room for suffixes that browsers add during a download. */
const MAX_BYTES = 200;

const FALLBACK = 'file';

/**
 * Makes a name safe in a folder and in a header: no separators, control or bidirectional characters, no leading dot.
 * The extension is kept if the name is too long.
 */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/gu, '_')
    .trim()
    .replace(/^\.+/, '');
  return shorten(plain) || FALLBACK;
}

/** Makes the name of a file or folder in a folder safe; unlike `safeName`, it may begin with a dot. */
export function safeMemberName(name: string): string {
  const dot = /^\.(?=[^.])/.test(name) ? '.' : '';
  return dot + safeName(name);
}

/** A variant of a name that may be taken: `name (1).txt`; 0 is the name itself. */
export function variantOf(name: string, number: number): string {
  const { name: stem, ext } = parse(name);
  return number === 0 ? name : `${stem} (${number})${ext}`;
}

/** The name, or the first variant of it that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let number = 0;
  while (taken.has(variantOf(name, number))) number++;
  return variantOf(name, number);
}

function shorten(name: string): string {
  const bytes = (text: string) => Buffer.byteLength(text);
  if (bytes(name) <= MAX_BYTES) return name;
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  let room = MAX_BYTES - bytes(ending);
  let kept = '';
  for (const point of name.slice(0, name.length - ending.length)) {
    room -= bytes(point);
    if (room < 0) break;
    kept += point;
  }
  return kept + ending;
}

/** Value of `content-disposition` for a file to be saved (RFC 6266), in ASCII and in UTF-8. `name` must be safe. */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    found => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
