import type { Bookmark } from '../../../protocol/bookmarks.js';
import { tokens } from './bookmark-tokens.js';

/** Folders nested deeper than this are flattened into the last one that is not. */
const DEPTH_MAX = 50;

/** Titles are truncated to this length, and longer addresses are left out, in characters. */
const TITLE_MAX = 4096;
const URL_MAX = 65_536;

interface Folder {
  title: string;
  children: Bookmark[];
  isToolbar: boolean;
}

interface Entry {
  readonly tag: 'h3' | 'a';
  readonly attributes: ReadonlyMap<string, string>;
  words: string;
}

/**
 * Parses a Netscape bookmark file, as exported by browsers, however malformed: what is not understood is left out, as
 * are separators, descriptions and icons.
 */
export function parseBookmarks(html: string): Bookmark[] {
  const reader = new Reader();
  for (const token of tokens(html)) {
    if (token.type === 'text') reader.text(token.text);
    else if (token.type === 'open') reader.opened(token.tag, token.attributes);
    else reader.closed(token.tag);
  }
  return reader.end();
}

class Reader {
  readonly #root: Folder = { title: '', children: [], isToolbar: false };
  readonly #open = [this.#root];
  /** For each open list, whether it belongs to a folder. */
  readonly #lists: boolean[] = [];
  /** The folder whose list comes next. */
  #next: Folder | undefined;
  #entry: Entry | undefined;

  text(text: string): void {
    if (this.#entry !== undefined) this.#entry.words += text;
  }

  opened(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (tag !== 'dl' && tag !== 'dt' && tag !== 'dd' && tag !== 'h3' && tag !== 'a') return;
    this.#finish();
    if (tag === 'h3' || tag === 'a') this.#entry = { tag, attributes, words: '' };
    if (tag !== 'dl') return;
    const isFolder = this.#next !== undefined && this.#open.length <= DEPTH_MAX;
    if (this.#next !== undefined && isFolder) this.#open.push(this.#next);
    this.#lists.push(isFolder);
    this.#next = undefined;
  }

  closed(tag: string): void {
    if (tag !== 'dl' && tag !== 'h3' && tag !== 'a') return;
    this.#finish();
    if (tag === 'dl' && this.#lists.pop()) this.#open.pop();
  }

  end(): Bookmark[] {
    this.#finish();
    return this.#root.children;
  }

  #finish(): void {
    const entry = this.#entry;
    if (entry === undefined) return;
    this.#entry = undefined;
    const { children } = this.#open.at(-1) ?? this.#root;
    const title = decodeEntities(entry.words).replace(/\s+/g, ' ').trim().slice(0, TITLE_MAX);
    if (entry.tag === 'h3') {
      this.#next = {
        title,
        children: [],
        isToolbar: /^true$/i.test(entry.attributes.get('personal_toolbar_folder') ?? ''),
      };
      children.push(this.#next);
      return;
    }
    const url = decodeEntities(entry.attributes.get('href') ?? '').trim();
    if (url.length <= URL_MAX && URL.canParse(url)) children.push({ title: title || url, url });
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const point = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
    },
  );
}
