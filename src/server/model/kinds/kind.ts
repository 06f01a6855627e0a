import type { Launch, TouchGestures } from '../../../protocol/generated/schemas.js';
import type { Problem } from '../../../protocol/validation.js';
import type { ErrorCode } from '../errors.js';
import type { StartRequest, StartSettings, StartSpec } from './start-spec.js';

/** Name of a kind of session. */
export type KindName = Launch['kind'];

/** Name of what a profile holds, which kinds that can load each other's profiles share. */
export type ProfileKind = string;

/** The profiles of a kind. */
export interface ProfileTraits {
  readonly kind: ProfileKind;
  /** What they belong to, for messages. */
  readonly owner: string;
  /** How long saving one once may take, milliseconds. */
  readonly attemptMs: number;
  /** Whether they can be saved while their session runs. */
  readonly checkpoints: boolean;
  /** Where a session keeps the data, which limits their size: its home folder, or its device. */
  readonly space: 'home' | 'device';
}

/** How sessions of a kind are started over the REST interface, with requests like `R`. */
export interface Start<R extends StartRequest = StartRequest> {
  /** An operation for each path. */
  readonly operations: readonly { readonly path: string; readonly id: string; readonly summary: string }[];
  readonly description: string;
  /** The file in schemas/ that describes the body. */
  readonly schema: string;
  /** Whether there must be a body. */
  readonly required: boolean;
  readonly example: R;
  /** Whether a browser extension may come with it, as a part of its own. */
  readonly takesExtension: boolean;
  /** Errors besides those of all starts. */
  readonly errors: readonly ErrorCode[];
  /** Checks what the schema cannot express. */
  problems(request: R): Problem[];
  /** Turns a valid request into a start spec, filling in the defaults. @throws HttpError if the settings rule it out */
  spec(request: R, settings: StartSettings): StartSpec;
  /** Of content that is fetched: the field with its address, and the error for one that must not be fetched from. */
  content?(request: R): { readonly path: string; readonly refused: ErrorCode };
}

/** Everything that differs between kinds of sessions, as far as the service is concerned. */
export interface Kind {
  /** Name of the container image, without the prefix. */
  readonly image: string;
  /** Name of the image where its device is reached by adb, if it has one. */
  readonly adbImage?: string;
  readonly start: Start;
  readonly profile: ProfileTraits;
  /** Number of players, each with a seat and a pad; 0: it is not played. */
  readonly seats: 0 | 4;
  /** Gestures of touch screens that the session supports. */
  gestures(launch: Launch): TouchGestures;
  /** Whether pages take a moving finger as a touch, rather than as a wheel. */
  pageTouch(launch: Launch): boolean;
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
  /** Whether its clipboard takes and gives HTML and pictures, too. */
  readonly clipboardContent: boolean;
  /** What may be delivered to it once it has started; null: nothing. Games need room on top of the common limits. */
  readonly content: 'game' | 'app' | null;
  /** Whether it has a device, which may be one of a pool, reached by adb. */
  readonly device: boolean;
  /** Whether its program can be started before it is known what the session wants. */
  readonly prepares: boolean;
}
