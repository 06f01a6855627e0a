/** A bookmark, or a folder of them. */
export type Bookmark =
  | { readonly title: string; readonly url: string }
  | { readonly title: string; readonly children: readonly Bookmark[]; readonly isToolbar: boolean };
