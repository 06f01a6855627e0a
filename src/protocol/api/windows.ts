/** A window of the session's browser. Places and sizes are in pixels of the display, with the window's frame. */
export interface BrowserWindow {
  /** Its number, as long as it is open. */
  readonly id: number;
  /**
   * `browser`: a window with tabs, which fills the display; `popup`: one that a page opened with a size, or one of
   * developer tools; `dialog`: such as the choice of a file; `other`: such as a video in a window of its own.
   */
  readonly kind: 'browser' | 'popup' | 'dialog' | 'other';
  /** Its title, of at most 256 characters. */
  readonly title: string;
  /** Whether it has the keyboard. */
  readonly active: boolean;
  /** Where its left edge is. */
  readonly x: number;
  /** Where its upper edge is. */
  readonly y: number;
  /** Its width. */
  readonly width: number;
  /** Its height. */
  readonly height: number;
}

/** The place and size of a window, with its frame, in whole pixels of the display. */
export type WindowBounds = Pick<BrowserWindow, 'x' | 'y' | 'width' | 'height'>;

/**
 * The windows of a browser session. The methods need the role `control`, and reject with an error whose code is
 * `window_not_found` if the window is not there any more.
 */
export interface BrowserWindows {
  /** The windows, oldest first. */
  list(): Promise<readonly BrowserWindow[]>;

  /** Brings a window to the front and gives it the keyboard. */
  activate(id: number): Promise<void>;

  /** Closes a window, as its close button does: its page may ask first. Resolves after a second at the latest. */
  close(id: number): Promise<void>;

  /** Moves and resizes a window, which does not leave the display; of kind `browser` they fill it (`not_supported`). */
  setBounds(id: number, bounds: WindowBounds): Promise<void>;
}
