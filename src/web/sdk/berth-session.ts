import type { GameConsole, GameState, Seat } from '../../protocol/api/console.js';
import type { Tabs } from '../../protocol/api/tabs.js';
import type { BrowserWindows } from '../../protocol/api/windows.js';
import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import type { Point } from '../lib/geometry.js';
import type { PageAndroid } from './android.js';
import type { SessionDialogs } from './dialogs.js';
import type { SessionFiles } from './files.js';
import type { BerthEvent } from './input/send-event.js';
import type { ConsoleControls } from './pad/console-pads.js';
import type { Permissions, Role } from './permissions.js';

/** The members that sessions of all kinds have on a web page. */
export interface CommonSession {
  /** This viewer's ID, new at every connection. */
  readonly userId: string;
  /** The session's `admin_token`. Set it to become an admin later. */
  adminToken: string | undefined;
  /** From 0 to 1; at 0 no audio is sent. */
  volume: number;
  /** While true, no video is sent. */
  videoPaused: boolean;
  /** Playout delay in milliseconds, from 0 to 5000. Settable to a boolean as well, as the option is. */
  get playoutDelay(): number;
  set playoutDelay(delay: number | boolean);
  /** Whether keys pressed anywhere on the page go to the session. */
  delegateKeyboard: boolean;
  /**
   * Whether the viewer only watches: what its devices do is not sent. `sendEvent` is. A player of a console keeps its
   * seat.
   */
  disableInput: boolean;
  /** Whether other viewers' pointers are drawn; needs the role `cursor_data`. */
  showCursors: boolean;
  /** Width of the display in pixels. */
  readonly width: number;
  /** Height of the display in pixels. */
  readonly height: number;
  /** Maximum number of pixels of the display. */
  readonly maxArea: number;
  /** Round trip to the service in milliseconds; null until it is known. */
  readonly rtt: number | null;
  /** Whether the session has the keyboard's focus. */
  readonly isFocused: boolean;
  /** Transfers of files to and from the session. */
  readonly files: SessionFiles;

  /** Gives the session the keyboard's focus. */
  focus(): void;

  /** Takes the keyboard's focus from the session, and releases the keys that are held in it. */
  blur(): void;

  /**
   * The position on the display, in fractions of it, of a point in the page's viewport, and whether the point is on the
   * display at all; positions outside are clamped.
   * @param event a mouse, pointer or drag event, or the coordinates of one, in CSS pixels
   */
  pointOf(event: Pick<MouseEvent, 'clientX' | 'clientY'>): Point & { inside: boolean };

  /**
   * Resizes the display; needs the role `resize`. `onResize` tells of the new size, `onError` of a refusal.
   * @param width in pixels, from 160 to 4096
   * @param height in pixels, from 160 to 4096
   * @throws TypeError if a side is not a whole number from 160 to 4096
   * @throws RangeError if the display would have more than `maxArea` pixels
   */
  resize(width: number, height: number): void;

  /**
   * Sets a user's permissions; omitted ones keep their value. Needs the admin token.
   * @param userId the user's ID
   * @param permissions the ones to change
   * @returns all permissions of the user
   * @throws CallError if the call fails
   */
  setPermissions(userId: string, permissions: Permissions): Promise<Permissions>;

  /**
   * Grants roles to users. Needs the admin token.
   * @param userIds the users' IDs
   * @param roles the roles
   * @param exclusive whether everyone except these users gets them, default false
   * @throws CallError if the call fails
   */
  addRoles(userIds: string[], roles: Role[], exclusive?: boolean): Promise<void>;

  /**
   * Revokes roles from users. Needs the admin token.
   * @param userIds the users' IDs
   * @param roles the roles
   * @param exclusive whether everyone except these users loses them, default false
   * @throws CallError if the call fails
   */
  removeRoles(userIds: string[], roles: Role[], exclusive?: boolean): Promise<void>;

  /**
   * Disconnects a user, who may reconnect. Needs the admin token.
   * @param userId the user's ID
   * @throws CallError if the call fails
   */
  disconnectUser(userId: string): Promise<void>;

  /**
   * Gives the session to one user alone, until privacy mode ends: all others get no picture and no sound, and their
   * input and calls are refused. Needs the admin token.
   * @param userId the user's ID
   * @throws CallError if the call fails
   */
  enablePrivacyMode(userId: string): Promise<void>;

  /**
   * Gives the session back to everybody. Needs the admin token.
   * @throws CallError if the call fails
   */
  disablePrivacyMode(): Promise<void>;

  /**
   * Takes a screenshot of the display, as a PNG.
   * @param width of the image in pixels, from 16 to the display's width, which is the default
   * @throws CallError if the call fails
   */
  screenshot(width?: number): Promise<Blob>;

  /**
   * Sends input generated by the page.
   * @param event the input
   * @throws TypeError if it is not a valid event
   */
  sendEvent(event: BerthEvent): void;

  /**
   * Sets the session's clipboard.
   * @param text at most 1 MiB of UTF-8; `onNotice` tells of longer ones
   */
  setClipboard(text: string): void;

  /**
   * Pastes the viewer's clipboard into the session: text, HTML and a picture. The browser may ask whether the page may
   * read it. `onNotice` tells why nothing is pasted.
   */
  paste(): Promise<void>;

  /** Resets the inactivity timeout, as input does. */
  ping(): void;

  /** Reconnects. */
  reconnect(): void;

  /** Leaves the session and empties the container. */
  destroy(): void;
}

/** A browser on a web page. */
export interface BrowserSession extends CommonSession {
  /** The session's kind. */
  readonly kind: 'chromium';
  /** The tabs of the browser. */
  readonly tabs: Tabs;
  /** The windows of the browser. */
  readonly windows: BrowserWindows;
  /** The dialogs of the browser. */
  readonly dialogs: SessionDialogs;
}

/** A console on a web page. */
export interface ConsoleSession extends CommonSession {
  /** The session's kind. */
  readonly kind: ConsoleKind;
  /** The game of the console. */
  readonly console: GameConsole;
  /** The players: all seats of the console, by player. */
  readonly seats: readonly Seat[];
  /** The state of the game, whoever changed it. */
  readonly gameState: GameState;
  /** How this viewer plays its seats; null if it only watches. */
  readonly controls: ConsoleControls | null;

  /**
   * Takes a seat: that of this player, or any free one. The first viewer gets a seat automatically. Needs the role
   * `control`.
   * @param player from 1 to 4
   * @returns all seats
   * @throws CallError if the call fails: `seat_taken`, `role_required`
   */
  takeSeat(player?: number): Promise<readonly Seat[]>;

  /**
   * Leaves this player's seat, or all seats of this viewer.
   * @param player from 1 to 4
   * @returns all seats
   * @throws CallError if the call fails
   */
  leaveSeat(player?: number): Promise<readonly Seat[]>;
}

/** A device that runs Android on a web page. */
export interface AndroidSession extends CommonSession {
  /** The session's kind. */
  readonly kind: 'android';
  /** The device. */
  readonly android: PageAndroid;
}

/**
 * A session on a web page, as returned by `Berth`: its `kind` says what it has besides what all have. Where types do not
 * prevent it, calls to what other kinds have are refused with `not_a_browser`, `not_a_console` or `not_an_android`.
 */
export type BerthSession = BrowserSession | ConsoleSession | AndroidSession;

/** A session on a web page, as returned by `mount`, before it is known whether the service admits the viewer. */
export interface PendingSession extends CommonSession {
  /** The windows of the browser, where it is one. */
  readonly windows: BrowserWindows;
  /**
   * Resolves when the service has admitted the viewer; the session may still be starting then. Rejects with a
   * SessionTerminatedError if the session has ended or does not admit this viewer.
   */
  readonly joined: Promise<BerthSession>;
}
