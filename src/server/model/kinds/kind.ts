import type { Launch, TouchGestures } from '../../../protocol/generated/schemas.js';

/** Name of a kind of session. */
export type KindName = Launch['kind'];

/** Content of a profile: a browser's data, saved games, or a device's user data. */
export type ProfileKind = 'chromium' | 'console' | 'android';

/** Whose profiles they are, in words. */
export const PROFILE_OWNERS = {
  chromium: 'a browser',
  console: 'a console',
  android: 'an Android device',
} satisfies Record<ProfileKind, string>;

/** Everything that differs between kinds of sessions, as far as the service is concerned. */
export interface Kind {
  /** Name of the container image, without the prefix. */
  readonly image: 'chromium' | 'console' | 'android';
  /** Name of the image where its device is reached by adb, if it has one. */
  readonly adbImage?: 'android-device';
  /** Content of its profiles. */
  readonly profile: ProfileKind;
  /** Default values for requests. */
  readonly defaults: { readonly fps: number; readonly hideCursor: boolean };
  /** The calls that its agent supports besides those of all kinds. */
  readonly calls: 'browser' | 'console' | 'android';
  /** Number of players, each with a seat and a pad; 0: it is not played. */
  readonly seats: 0 | 4;
  /** Gestures of touch screens that the session supports. */
  gestures(launch: Launch): TouchGestures;
  /** A launch without addresses, credentials and the like. */
  withoutSecrets(launch: Launch): Launch;
  /** Whether it runs in Pods of any cluster; others need nodes that have what it needs. */
  readonly pods: boolean;
  /** When containers of it are kept warm: always, for an hour after it was started, or never. */
  readonly warmPool: 'always' | 'after use' | 'never';
  /** What its containers get of the engine's machine. */
  readonly host: {
    /** The GPU, if the operator configured one. */
    readonly graphicsCard: boolean;
    /** The folder with a real console's BIOS, if the operator configured one. */
    readonly bios: boolean;
  };
  /** Whether viewers may change the size of its display. */
  readonly resizable: boolean;
  /** Largest clipboard text that it takes, bytes of UTF-8. */
  readonly clipboardBytes: number;
  /** Whether files can be brought into it. */
  readonly uploads: boolean;
  /** Whether its containers need room for a game, on top of the common limits. */
  readonly game: boolean;
}
