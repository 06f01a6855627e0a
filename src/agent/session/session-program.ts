import type { AgentCallsOf } from '../../protocol/calls.js';
import type {
  FromAgent,
  Launch,
  ProfileOptions,
  Signature,
  StartStep,
  TerminationCode,
} from '../../protocol/generated/schemas.js';
import type { InputEvent } from '../../protocol/input.js';
import type { PadEvent } from '../../protocol/pad.js';
import type { TouchEvent } from '../../protocol/touch.js';
import type { Scroll } from '../display/messages.js';
import type { Handover } from '../handover/handover.js';
import type { CallHandlers } from '../link/calls.js';
import type { Route } from '../link/routes.js';
import type { Upgrade } from '../link/upgrades.js';
import type { Log } from '../lib/log.js';
import type { ProfileOwner } from '../profile/transfer.js';
import type { Screen } from '../display/screen.js';

/** Input of viewers, as far as a program has a use for it; the rest is ignored. */
interface Inputs {
  /** Keys, pointer and text; `body` is the message as received. */
  input?(event: InputEvent, body: Uint8Array, link: object): void;
  /** Fingers on the screen. */
  touch?(link: object, user: number, event: TouchEvent): void;
  /** A change on a pad. */
  pad?(event: PadEvent): void;
  /** Scrolling by pixels. */
  scroll?(scroll: Scroll): void;
  /** The answer to `find target`. */
  target?(isFocused: boolean): void;
  /** A window on the screen, as `user u32, window`. */
  window?(body: Buffer): void;
  /** A link was lost: releases the input held by its viewers. */
  unlinked?(link: object): void;
}

/** What can be started before the launch is known: all three methods, or none. */
interface Preparation<L extends Launch> {
  /** Starts it; only `become`, `displayLost` and `stop` may follow. */
  prepare?(): void;
  /** Becomes the program of a launch, which may not be the one that it was prepared for; `start` follows. */
  become?(launch: L): void;
  /** Resolves when nothing is left of what was prepared and did not suit. */
  readonly cleared?: Promise<void>;
}

/** The program that a session runs: a browser, a game, a device. It handles its own input. */
export interface SessionProgram<L extends Launch = Launch> extends ProfileOwner, Inputs, Preparation<L> {
  start(): void;
  /** The launch arrived, as it does on each link: the only source of secrets, which are not handed over. */
  launched?(launch: L): void;
  /** The service's signature for a pool's device. */
  signed?(signature: Signature): void;
  /** The X server died, and the program with it. */
  displayLost?(): void;
  /** The calls that sessions of its kind have. */
  readonly calls: L extends Launch ? CallHandlers<AgentCallsOf<L['kind']>> : never;
  /** The messages that a new link must get. */
  readonly current: readonly FromAgent[];
  /** Ends it gracefully, so that it can save its state. */
  stop(): Promise<void>;
}

/** What the agent provides to programs. */
export interface SessionProgramOptions {
  readonly log: Log;
  /** Environment of the programs in the container. */
  readonly env: Record<string, string>;
  readonly handover: Handover;
  /** Handlers of the service's requests. */
  readonly routes: Route[];
  readonly upgrades: Upgrade[];
  readonly screen: Screen;
  /** Resolves when the X server accepts connections. The display's size arrives meanwhile. */
  readonly ready: () => Promise<void>;
  /** Resolves when the initial profile is in place, with whether there is one. */
  readonly beginsWith: (profile: ProfileOptions | undefined) => Promise<boolean>;
  /** Sends the service a message. */
  readonly tell: (message: FromAgent) => void;
  /** The program ended and is started again. */
  readonly lost: () => void;
  /** The program cannot be kept running. */
  readonly failed: (reason: string, code?: TerminationCode) => void;
  /** Its content cannot be run. */
  readonly unplayable: (reason: string, code?: TerminationCode) => void;
  /** How far the start is. */
  readonly step: (step: StartStep, message: string) => void;
  /** The program shows its first picture, or shows one again. Those with windows need not say so. */
  readonly shown: () => void;
  /** Path of the scrcpy server, in images for Android. */
  readonly scrcpyServer: string;
  /** Certificates of authorities that browsers trust besides the usual ones, in base64. */
  readonly caCertificates: readonly string[];
  /** Nobody can have any input now: that there is none does not make the session inactive. */
  readonly busy: () => void;
}
