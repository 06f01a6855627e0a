/** A token of a bookmark file. Names are in lower case, texts as they appear in the file. */
export type Token =
  | { readonly type: 'open'; readonly tag: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly type: 'close'; readonly tag: string }
  | { readonly type: 'text'; readonly text: string };

const TAG = /<(\/?)([a-z][a-z0-9]*)/iy;
/** A word is matched as a whole, so that the work stays linear in its length. */
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*(=)\s*(?:(["'])|([^\s>"']*)))?|>/g;
const COMMENT = { begin: '<!--', end: '-->' };

/** Tokenizes HTML in linear time whatever it contains, since files of 5 MB may be hostile. */
export function* tokens(html: string): Generator<Token> {
  let at = 0;
  while (at < html.length) {
    const tagAt = html.indexOf('<', at);
    const textEnd = tagAt === -1 ? html.length : tagAt;
    if (textEnd > at) yield { type: 'text', text: html.slice(at, textEnd) };
    if (tagAt === -1) return;
    if (html.startsWith(COMMENT.begin, tagAt)) {
      at = after(html, COMMENT.end, tagAt + COMMENT.begin.length);
      continue;
    }
    TAG.lastIndex = tagAt;
    const [found, slash, name = ''] = TAG.exec(html) ?? [];
    if (found === undefined) {
      yield { type: 'text', text: '<' };
      at = tagAt + 1;
      continue;
    }
    const { attributes, end } = attributesFrom(html, tagAt + found.length);
    at = end;
    const tag = name.toLowerCase();
    yield slash === '/' ? { type: 'close', tag } : { type: 'open', tag, attributes };
  }
}

function attributesFrom(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  ATTRIBUTE.lastIndex = from;
  for (let found = ATTRIBUTE.exec(html); found !== null; found = ATTRIBUTE.exec(html)) {
    const [all, name, equals, quote, bare = ''] = found;
    if (all === '>') return { attributes, end: ATTRIBUTE.lastIndex };
    let value = bare;
    if (quote !== undefined) {
      const begin = ATTRIBUTE.lastIndex;
      ATTRIBUTE.lastIndex = after(html, quote, begin);
      value = html.slice(begin, ATTRIBUTE.lastIndex - 1);
    }
    const key = equals === undefined ? undefined : name?.toLowerCase();
    if (key !== undefined && !attributes.has(key)) attributes.set(key, value);
  }
  return { attributes, end: html.length };
}

/** The position after the next `word`; the end if there is none. */
function after(html: string, word: string, from: number): number {
  const at = html.indexOf(word, from);
  return at === -1 ? html.length : at + word.length;
}
