import type { Launch, TouchGestures } from '../../../protocol/generated/schemas.js';

/** Name of a kind of session. */
export type KindName = Launch['kind'];

/** What a profile holds: the data of a browser, or what players keep of their games. */
export type ProfileKind = 'chromium' | 'console';

/** What the kinds of sessions differ in, as far as the service knows. */
export interface Kind {
  /** Name of the container's image, without the prefix. */
  readonly image: 'chromium' | 'console';
  /** What its profiles hold. */
  readonly profile: ProfileKind;
  /** What a request that leaves it out gets. */
  readonly defaults: { readonly fps: number; readonly hideCursor: boolean };
  /** The calls that its agent answers besides those that all kinds have. */
  readonly calls: 'browser' | 'console';
  /** Players with a seat and a pad each; 0: it is not played. */
  readonly seats: 0 | 4;
  /** Gestures of touch screens that the session understands. */
  gestures(launch: Launch): TouchGestures;
  /** Whether its containers can be started before anybody asks for them. */
  readonly warmPool: boolean;
  /** What its containers have of the engine's machine. */
  readonly host: {
    /** The graphics card, where the operator gave one. */
    readonly graphicsCard: boolean;
    /** The folder with the BIOS of a real console, where the operator gave one. */
    readonly bios: boolean;
  };
  /** Whether its containers have room for a game, besides the limits of all. */
  readonly game: boolean;
}
