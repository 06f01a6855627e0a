import type { Launch, TouchGestures } from '../../../protocol/generated/schemas.js';

/** Name of a kind of session. */
export type KindName = Launch['kind'];

/** Content of a profile: a browser's data, saved games, or a device's user data. */
export type ProfileKind = 'chromium' | 'console' | 'android';

/** Properties of profiles by their content. */
export interface ProfileTraits {
  /** What they belong to, for messages. */
  readonly owner: string;
  /** How long saving one once may take, milliseconds. */
  readonly attemptMs: number;
  /** Whether they can be saved while their session runs. */
  readonly checkpoints: boolean;
  /** Where a session keeps the data, which limits their size: its home folder, or its device. */
  readonly space: 'home' | 'device';
}

/** The profiles of each content. */
export const PROFILES: Readonly<Record<ProfileKind, ProfileTraits>> = {
  chromium: { owner: 'a browser', attemptMs: 120_000, checkpoints: true, space: 'home' },
  console: { owner: 'a console', attemptMs: 120_000, checkpoints: true, space: 'home' },
  // A device must shut down first, since only then its data are complete, and has some gigabytes.
  android: { owner: 'an Android device', attemptMs: 600_000, checkpoints: false, space: 'device' },
};

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
  /** Access of its containers to the engine's machine. */
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
  /** What may be delivered to it once it has started; null: nothing. Games need room on top of the common limits. */
  readonly content: 'game' | 'app' | null;
  /** Whether it has a device, which may be one of a pool, reached by adb. */
  readonly device: boolean;
  /** Whether its program can be started before it is known what the session wants. */
  readonly prepares: boolean;
}
