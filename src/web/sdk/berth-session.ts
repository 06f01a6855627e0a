import type { GameConsole, GameState, Seat } from '../../protocol/api/console.js';
import type { Permissions, Role } from './permissions.js';
import type { BerthEvent } from './input/send-event.js';
import type { Tabs } from '../../protocol/api/tabs.js';

/** A session on a web page: what `Berth` resolves with. */
export interface BerthSession {
  /** This viewer's ID, new at every connection. */
  readonly userId: string;
  /** The session's `admin_token`. Set it to become an admin later. */
  adminToken: string | undefined;
  /** From 0 to 1; at 0 no sound is sent. */
  volume: number;
  /** While true, no video is sent. */
  videoPaused: boolean;
  /** Width of the display in pixels. */
  readonly width: number;
  /** Height of the display in pixels. */
  readonly height: number;
  /** The most pixels that the display may have. */
  readonly maxArea: number;
  /** Round trip to the service in milliseconds; null until it is known. */
  readonly rtt: number | null;
  /** The tabs of the session's browser. */
  readonly tabs: Tabs;
  /** The game of a console. */
  readonly console: GameConsole;
  /** Who plays a console: all its seats, by player. Empty where the session is no console. */
  readonly seats: readonly Seat[];
  /** How the game of a console runs, whoever has asked for it; as it is meant where the session is no console. */
  readonly gameState: GameState;

  /**
   * Resizes the display; needs the role `resize`.
   * @throws TypeError where a side is not a whole number from 160 to 4096
   * @throws RangeError where the display would have more than `maxArea` pixels
   */
  resize(width: number, height: number): void;

  /**
   * Sets what a user may do; keys left out keep their value. Needs the admin token.
   * @returns the user's permissions after it
   * @throws CallError where the session does not do it
   */
  setPermissions(userId: string, permissions: Permissions): Promise<Permissions>;

  /**
   * Gives users roles; with `exclusive`, everyone except them. Needs the admin token.
   * @throws CallError where the session does not do it
   */
  addRoles(userIds: string[], roles: Role[], exclusive?: boolean): Promise<void>;

  /**
   * Takes roles from users; with `exclusive`, from everyone except them. Needs the admin token.
   * @throws CallError where the session does not do it
   */
  removeRoles(userIds: string[], roles: Role[], exclusive?: boolean): Promise<void>;

  /**
   * Sits down to play a console: as this player, or on any seat that is free. The first viewer sits down by itself.
   * Needs the role `control`.
   * @param player from 1 to 4
   * @returns all seats after it
   * @throws CallError where the session does not do it: `seat_taken`, `role_required`, `not_a_console`
   */
  takeSeat(player?: number): Promise<readonly Seat[]>;

  /**
   * Stands up: from this player's seat, or from all that this viewer has.
   * @param player from 1 to 4
   * @returns all seats after it
   * @throws CallError where the session does not do it
   */
  leaveSeat(player?: number): Promise<readonly Seat[]>;

  /**
   * Takes a picture of the display, as a PNG.
   * @param width of the picture in pixels, from 16 to the display's, which is what it has where absent
   * @throws CallError where the session does not do it
   */
  screenshot(width?: number): Promise<Blob>;

  /**
   * Sends input of the page's own.
   * @throws TypeError where it is not a valid event
   */
  sendEvent(event: BerthEvent): void;

  /** Restarts the inactive timeout, as input does. */
  ping(): void;

  /** Opens the connection anew. */
  reconnect(): void;

  /** Leaves the session and empties the container. */
  destroy(): void;
}
