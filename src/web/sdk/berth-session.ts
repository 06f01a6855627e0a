import type { Permissions, Role } from './permissions.js';
import type { BerthEvent } from './send-event.js';
import type { Tabs } from './tabs-types.js';

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
