/** A piece of a bookmark file. Names are in lower case, texts as they stand in the file. */
export type Token =
  | { readonly type: 'open'; readonly tag: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly type: 'close'; readonly tag: string }
  | { readonly type: 'text'; readonly text: string };

const TAG = /<(\/?)([a-z][a-z0-9]*)/iy;
/** A name by itself is taken as a whole, so that nothing is looked at again for each of its letters. */
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*(=)\s*(?:(["'])|([^\s>"']*)))?|>/g;
const COMMENT = { begin: '<!--', end: '-->' };

/** Cuts HTML into its pieces, in one pass whatever it holds: files of 5 MB come from strangers. */
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

/** Where the text goes on after the next `word`; its end where there is none. */
function after(html: string, word: string, from: number): number {
  const at = html.indexOf(word, from);
  return at === -1 ? html.length : at + word.length;
}
