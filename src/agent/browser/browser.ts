import type { ExtensionConnection } from '../../protocol/extension.js';
import type { LaunchChromium } from '../../protocol/generated/schemas.js';
import { suits } from '../../protocol/preparation.js';
import { hasFields, isFlag, type Handover } from '../handover/handover.js';
import type { Log } from '../lib/log.js';
import { waitOrKill } from '../process/adopted.js';
import { Program, type Exit } from '../process/program.js';
import type { Command } from '../process/running.js';
import type { ProfileOwner } from '../profile/transfer.js';
import { extensionFolder, extensionNames, installExtensions } from './extension/extensions.js';
import { denyFileAccess } from './extension/file-access.js';
import { BUS_ADDRESS } from './files/portal/session-bus.js';
import { flags } from './launch/flags.js';
import { hasGraphicsCard } from './launch/graphics-card.js';
import { locale } from './launch/locale.js';
import { exitedNormally, forgetExit } from './launch/preferences.js';
import { endPages } from './pages.js';
import { CHROMIUM, PROFILE_FOLDER } from './paths.js';
import { chromiumContent, prepareProfile, unlockProfile, writePolicies } from './profile/profile.js';
import { removeBrowserFiles } from './profile/remove.js';
import { canRestore } from './profile/session-file.js';
import { chromiumMajor } from './launch/user-agent.js';

export interface BrowserOptions {
  readonly launch: LaunchChromium;
  readonly log: Log;
  readonly env: Record<string, string>;
  readonly handover: Handover;
  /** Certificates of authorities that it trusts besides the usual ones, in base64. */
  readonly caCertificates: readonly string[];
  /** What the internal extension needs to reach the agent. */
  readonly connection: ExtensionConnection;
  /** Resolves when the X server accepts connections. */
  readonly ready: () => Promise<void>;
  /** Resolves when the initial profile is in place, with whether there is one. */
  readonly profile: (launch: LaunchChromium) => Promise<boolean>;
  /** Resolves when the custom extension is in its folder, or there is none. */
  readonly extension: (launch: LaunchChromium) => Promise<void>;
  /** The browser ended and is being restarted. */
  readonly lost: () => void;
  /** The browser keeps crashing and is given up. */
  readonly failed: (reason: string) => void;
}

/** How long Chromium may take to write its state, milliseconds. */
const SAVING_GRACE = 10_000;

/** How long pages may hold up the end of Chromium, milliseconds. */
const PAGES_GRACE = 1500;

/** From this consecutive crash on, tabs are not restored: one of them may be the cause. */
const DEATHS_BLAMED_ON_TABS = 4;

/**
 * Stands back for the X server, the display helper and the agent: where a page takes all processors, more of its frames
 * are shown, although it makes a few less (docs/explanation/performance).
 */
const NICENESS = 5;

/** What the next agent must know about the browser besides its process. */
interface Left {
  /** It was told to end permanently. */
  readonly isFinishing: boolean;
  /** It and its files are being removed, so that another can start. */
  readonly isDiscarded?: boolean;
}

const NAME = 'browser';
const isLeft = (value: unknown): value is Left => hasFields(value, { isFinishing: isFlag });

/** One browser: its files and its processes, over restarts, until it is discarded. */
interface Instance {
  /** Folders of its extensions, once its files are written. */
  readonly folders: Promise<readonly string[]>;
  /** The command being made, which writes files too. */
  command: Promise<unknown>;
  /** Whether its page is decided, so that another launch finds this one's. */
  isCommanded: boolean;
  /** Whether a previous agent started it: then only its profile tells how it ended. */
  isAdopted: boolean;
  /** Whether the X server died since its last start. */
  isDisplayLost: boolean;
  run: 'first' | 'after a crash' | 'after it was closed';
}

type State =
  /** None was started, or nothing is left of a discarded one. */
  | { readonly type: 'absent' }
  | { readonly type: 'present'; readonly instance: Instance }
  /** A discarded one and its files are being removed, until `gone`; then another is started if it is wanted. */
  | { readonly type: 'clearing'; readonly gone: Promise<void>; isWanted: boolean }
  /** It ends permanently, and has ended when `finished` resolves. */
  | { readonly type: 'finishing'; readonly finished: Promise<void> };

/** Keeps Chromium running: restarted with its tabs after a crash, afresh after its last window was closed. */
export class Browser implements ProfileOwner {
  readonly content = chromiumContent();
  readonly #options: BrowserOptions;
  readonly #program: Program;
  #launch: LaunchChromium;
  /** Whether its launch has not come yet. */
  #isPrepared = false;
  #state: State = { type: 'absent' };

  constructor(options: BrowserOptions) {
    this.#options = options;
    this.#launch = options.launch;
    this.#program = new Program({
      name: 'chromium',
      log: options.log,
      policy: { first: 100, longest: 1000, window: 60_000, tolerated: 5 },
      command: deaths => this.#command(deaths),
      handover: options.handover,
      adopted: () => undefined,
      normal: exit => this.#wasClosed(exit),
      died: exit => {
        const instance = this.#instance;
        instance.run = this.#wasClosed(exit) ? 'after it was closed' : 'after a crash';
        instance.isAdopted = false;
        options.lost();
      },
      gaveUp: options.failed,
      // On SIGTERM Chromium assumes that the machine is shutting down, and leaves much unwritten.
      polite: 'SIGINT',
      grace: 1800,
    });
    const left = options.handover.read(NAME, isLeft);
    if (left !== undefined) this.#takeOver(left);
  }

  /** Starts it without a page, before its launch has come. */
  prepare(): void {
    this.#isPrepared = true;
    this.start();
  }

  /** Starts it, unless it is already started; where one is being discarded, when that is gone. */
  start(): void {
    const state = this.#state;
    if (state.type === 'finishing') return;
    if (state.type === 'clearing') {
      state.isWanted = true;
      return;
    }
    if (state.type === 'absent') this.#state = { type: 'present', instance: this.#newInstance(this.#writeFiles()) };
    this.#program.start();
  }

  /** Resolves when nothing of a discarded browser is left. */
  get cleared(): Promise<void> {
    return this.#state.type === 'clearing' ? this.#state.gone : Promise.resolve();
  }

  /**
   * Becomes the browser of a launch: as it is if that suits, otherwise it is discarded. Returns whether it is started
   * without a page.
   */
  become(launch: LaunchChromium): boolean {
    const isSuited = suits(this.#launch, launch);
    this.#launch = launch;
    this.#isPrepared = false;
    if (!isSuited) {
      this.discard();
      return false;
    }
    if (this.#state.type !== 'present') return false;
    // Whether it may save passwords is known only now.
    const { caCertificates } = this.#options;
    void this.#state.instance.folders.then(() => writePolicies(launch.chromium, caCertificates)).catch(() => undefined);
    return this.#state.instance.isCommanded;
  }

  /** Ends it at once and removes its files; `start` starts another. */
  discard(): void {
    const state = this.#state;
    if (state.type === 'clearing') state.isWanted = false;
    if (state.type !== 'present') return;
    const { handover, log } = this.#options;
    log.info('browser discarded');
    handover.write(NAME, { isFinishing: false, isDiscarded: true } satisfies Left);
    // Whatever is still being written is removed too.
    const written = Promise.allSettled([state.instance.folders, state.instance.command]);
    this.#clear(Promise.all([this.#program.stop(0), written]));
  }

  /** The X server died: Chromium ends too, possibly as if it had been closed. */
  displayLost(): void {
    if (this.#state.type === 'present') this.#state.instance.isDisplayLost = true;
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }

  /** Ends Chromium permanently, with all the time it needs to write its state. */
  finish(): Promise<void> {
    const state = this.#state;
    if (state.type === 'finishing') return state.finished;
    if (state.type !== 'clearing') this.#options.handover.write(NAME, { isFinishing: true } satisfies Left);
    const finished = state.type === 'clearing' ? state.gone : withoutPages(this.#program.stop(SAVING_GRACE));
    this.#state = { type: 'finishing', finished };
    return finished;
  }

  /** Goes on with what a previous agent left. */
  #takeOver({ isDiscarded, isFinishing }: Left): void {
    const process = this.#program.left;
    if (isDiscarded) return this.#clear(waitOrKill(process, 0));
    // On a second request it would end without writing anything more.
    if (isFinishing) this.#state = { type: 'finishing', finished: withoutPages(waitOrKill(process, SAVING_GRACE)) };
    else this.#state = { type: 'present', instance: this.#newInstance(Promise.resolve(foldersOf(this.#launch))) };
  }

  #newInstance(folders: Promise<readonly string[]>): Instance {
    // Awaited before each start; until then a rejection must not count as unhandled.
    folders.catch(() => undefined);
    const isAdopted = this.#program.left !== undefined;
    const command = Promise.resolve();
    return { folders, command, isCommanded: isAdopted, isAdopted, isDisplayLost: false, run: 'first' };
  }

  /** The browser of the program, which runs only while there is one. */
  get #instance(): Instance {
    if (this.#state.type !== 'present') throw new Error('there is no browser');
    return this.#state.instance;
  }

  #clear(ended: Promise<unknown>): void {
    const gone = ended.then(async () => {
      this.#program.forget();
      await removeBrowserFiles();
      this.#options.handover.remove(NAME);
    });
    const clearing: State = { type: 'clearing', gone, isWanted: false };
    this.#state = clearing;
    void gone.then(() => {
      if (this.#state !== clearing) return;
      this.#state = { type: 'absent' };
      if (clearing.isWanted) this.start();
    });
  }

  async #writeFiles(): Promise<readonly string[]> {
    const { handover } = this.#options;
    const extensions = await writeFiles(this.#options, this.#launch);
    handover.write(NAME, { isFinishing: false } satisfies Left);
    return extensions;
  }

  #wasClosed({ code }: Exit): boolean {
    return this.#instance.isAdopted ? exitedNormally() : code === 0;
  }

  #command(deaths: number): Promise<Command> {
    const instance = this.#instance;
    const command = this.#makeCommand(instance, deaths);
    instance.command = command;
    return command;
  }

  async #makeCommand(instance: Instance, deaths: number): Promise<Command> {
    const { env, ready, profile } = this.#options;
    const { run } = instance;
    const whenReady = ready();
    const extensions = await instance.folders;
    if (run !== 'first') await unlockProfile();
    denyFileAccess(this.#launch.chromium);
    const loaded = await profile(this.#launch);
    const gpu = this.#launch.chromium.webgl && (await hasGraphicsCard());
    const major = this.#launch.chromium.user_agent ? await chromiumMajor(env) : 0;
    await whenReady;
    instance.isCommanded = true;
    const launch = this.#launch;
    const crashed = run === 'after a crash' || (run !== 'first' && instance.isDisplayLost);
    instance.isDisplayLost = false;
    const begins = run === 'first' && loaded && launch.chromium.start_url === undefined;
    const restore = (crashed || begins) && deaths < DEATHS_BLAMED_ON_TABS && canRestore(PROFILE_FOLDER);
    if (!restore) forgetExit();
    return {
      file: CHROMIUM,
      args: flags(launch, { restore, isPrepared: this.#isPrepared, loaded, gpu, major, extensions }),
      env: { ...env, ...FILE_DIALOGS, ...texts(launch), ...place(launch), ...NO_API_KEYS },
      niceness: NICENESS,
    };
  }
}

/** Ends pages that hold up the end of Chromium: busy ones, and those that ask where the extension cannot answer. */
function withoutPages(ended: Promise<void>): Promise<void> {
  const timer = setTimeout(endPages, PAGES_GRACE);
  return ended.finally(() => clearTimeout(timer));
}

const foldersOf = (launch: LaunchChromium) => extensionNames(launch.chromium).map(extensionFolder);

/** Writes the files that the browser reads; returns the folders of its extensions. */
async function writeFiles(
  { connection, profile, extension, caCertificates }: BrowserOptions,
  launch: LaunchChromium,
): Promise<readonly string[]> {
  const extensions = installExtensions(launch.chromium, connection);
  const prepare = (isLoaded: boolean) => prepareProfile(launch, { isLoaded, caCertificates });
  await Promise.all([profile(launch).then(prepare), extension(launch)]);
  return extensions;
}

/** Where it finds the agent's file dialogs. */
const FILE_DIALOGS = { DBUS_SESSION_BUS_ADDRESS: BUS_ADDRESS };

/** Without API keys Chromium would show a warning bar on every page. */
const NO_API_KEYS = { GOOGLE_API_KEY: 'no', GOOGLE_DEFAULT_CLIENT_ID: 'no', GOOGLE_DEFAULT_CLIENT_SECRET: 'no' };

/**
 * The language of the browser's UI comes from the environment. The image has no other locale than this one; without any
 * existing locale, downloads would lose non-ASCII names.
 */
function texts(launch: LaunchChromium): Record<string, string> {
  const { posix } = locale(launch.chromium.locale);
  return { LC_ALL: 'C.UTF-8', LANGUAGE: posix.replace(/\..*/, '') };
}

/** The time zone, which Chromium and its libraries take from the environment. */
function place({ chromium: { timezone } }: LaunchChromium): Record<string, string> {
  return timezone === undefined ? {} : { TZ: timezone };
}
