import type { Bookmark } from '../../protocol/bookmarks.js';

/** IDs of Chrome's own folders: the bookmarks bar, and all others. */
const BAR = '1';
const OTHERS = '2';

/**
 * Appends bookmarks: those of a toolbar folder to the bookmarks bar, the rest to the other bookmarks if that folder
 * exists, else to the bar as well. Returns how many Chrome accepted, not counting folders.
 */
export async function appendBookmarks(bookmarks: readonly Bookmark[]): Promise<number> {
  const toolbar = bookmarks.filter(each => 'children' in each && each.isToolbar);
  const rest = bookmarks.filter(each => !toolbar.includes(each));
  const bar = toolbar.flatMap(each => ('children' in each ? each.children : []));
  const counts = [await append(BAR, bar), await append(toolbar.length > 0 ? OTHERS : BAR, rest)];
  return counts.reduce((sum, count) => sum + count, 0);
}

async function append(parentId: string, bookmarks: readonly Bookmark[]): Promise<number> {
  // Chrome carries out calls in the order in which they were made.
  const counts = await Promise.all(bookmarks.map(bookmark => create(parentId, bookmark)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function create(parentId: string, bookmark: Bookmark): Promise<number> {
  const { title } = bookmark;
  if ('children' in bookmark) {
    const { id } = await chrome.bookmarks.create({ parentId, title });
    return append(id, bookmark.children);
  }
  return chrome.bookmarks.create({ parentId, title, url: bookmark.url }).then(
    () => 1,
    () => 0,
  );
}
