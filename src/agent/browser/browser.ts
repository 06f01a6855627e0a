import type { ExtensionConnection } from '../../protocol/extension.js';
import type { LaunchChromium } from '../../protocol/generated/schemas.js';
import { suits } from '../../protocol/preparation.js';
import { hasFields, isFlag, type Handover } from '../handover/handover.js';
import type { Log } from '../lib/log.js';
import { waitOrKill } from '../process/adopted.js';
import { Program, type Exit } from '../process/program.js';
import type { ProfileOwner } from '../profile/transfer.js';
import { extensionFolder, extensionNames, installExtensions } from './extension/extensions.js';
import { denyFileAccess } from './extension/file-access.js';
import { flags } from './launch/flags.js';
import { hasGraphicsCard } from './launch/graphics-card.js';
import { locale } from './launch/locale.js';
import { exitedNormally, forgetExit } from './launch/preferences.js';
import { CHROMIUM, PROFILE_FOLDER } from './paths.js';
import { chromiumContent, prepareProfile, unlockProfile } from './profile/profile.js';
import { removeBrowserFiles } from './profile/remove.js';
import { canRestore } from './profile/session-file.js';
import { chromiumMajor } from './launch/user-agent.js';

export interface BrowserOptions {
  readonly launch: LaunchChromium;
  readonly log: Log;
  readonly env: Record<string, string>;
  readonly handover: Handover;
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

/** Keeps Chromium running: restarted with its tabs after a crash, afresh after its last window was closed. */
export class Browser implements ProfileOwner {
  readonly content = chromiumContent();
  readonly #options: BrowserOptions;
  readonly #program: Program;
  #launch: LaunchChromium;
  /** Folders of its extensions, once its files are written. */
  #folders: Promise<readonly string[]> | undefined;
  /** The command being made, which writes files too. */
  #command: Promise<unknown> = Promise.resolve();
  #isCommanded = false;
  /** Whether its launch has not come yet. */
  #isPrepared = false;
  /** Resolves when a discarded browser is gone. */
  #cleared: Promise<void> | undefined;
  #run: 'first' | 'after a crash' | 'after it was closed' = 'first';
  #displayLost = false;
  /** Whether a previous agent started it: then only its profile tells how it ended. */
  #isAdopted = false;
  /** Resolves when a browser that a previous agent told to end permanently has ended. */
  #finished: Promise<void> | undefined;

  constructor(options: BrowserOptions) {
    this.#options = options;
    this.#launch = options.launch;
    const left = options.handover.read(NAME, isLeft);
    this.#program = new Program({
      name: 'chromium',
      log: options.log,
      policy: { first: 100, longest: 1000, window: 60_000, tolerated: 5 },
      command: deaths => (this.#command = this.#makeCommand(deaths)),
      handover: options.handover,
      adopted: () => undefined,
      normal: exit => this.#wasClosed(exit),
      died: exit => {
        this.#run = this.#wasClosed(exit) ? 'after it was closed' : 'after a crash';
        this.#isAdopted = false;
        options.lost();
      },
      gaveUp: options.failed,
      // On SIGTERM Chromium assumes that the machine is shutting down, and leaves much unwritten.
      polite: 'SIGINT',
      grace: 1800,
    });
    if (left?.isDiscarded) this.#cleared = this.#clear(waitOrKill(this.#program.left, 0));
    else if (left !== undefined) this.#folders = Promise.resolve(foldersOf(options.launch));
    // On a second request it would end without writing anything more.
    if (left?.isFinishing) this.#finished = waitOrKill(this.#program.left, SAVING_GRACE);
  }

  /** Starts it without a page, before its launch has come. */
  prepare(): void {
    this.#isPrepared = true;
    this.start();
  }

  /** Starts it, unless it is already started; where one is being discarded, when that is gone. */
  start(): void {
    if (this.#finished !== undefined) return;
    if (this.#cleared === undefined) return this.#start();
    const { cleared } = this;
    void cleared.then(() => {
      if (this.#cleared === cleared && this.#finished === undefined) this.#start();
    });
  }

  /** Resolves when nothing of a discarded browser is left. */
  get cleared(): Promise<void> {
    return this.#cleared ?? Promise.resolve();
  }

  /**
   * Becomes the browser of a launch: as it is if that suits, otherwise it is discarded. Returns whether it is started
   * without a page.
   */
  become(launch: LaunchChromium): boolean {
    const isSuited = suits(this.#launch, launch);
    this.#launch = launch;
    this.#isPrepared = false;
    if (isSuited) return this.#isCommanded;
    this.discard();
    return false;
  }

  /** Ends it at once and removes its files; `start` starts another. */
  discard(): void {
    const { handover, log } = this.#options;
    log.info('browser discarded');
    handover.write(NAME, { isFinishing: false, isDiscarded: true } satisfies Left);
    // Whatever is still being written is removed too.
    const written = Promise.allSettled([this.#cleared, this.#folders, this.#command]);
    this.#folders = undefined;
    this.#isCommanded = false;
    this.#run = 'first';
    this.#cleared = this.#clear(Promise.all([this.#program.stop(0), written]));
  }

  /** The X server died: Chromium ends too, possibly as if it had been closed. */
  displayLost(): void {
    this.#displayLost = true;
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }

  /** Ends Chromium permanently, with all the time it needs to write its state. */
  finish(): Promise<void> {
    if (this.#finished !== undefined) return this.#finished;
    this.#options.handover.write(NAME, { isFinishing: true } satisfies Left);
    return this.#program.stop(SAVING_GRACE);
  }

  #start(): void {
    if (this.#folders === undefined) {
      this.#folders = this.#prepare();
      // Awaited before each start; until then a rejection must not count as unhandled.
      this.#folders.catch(() => undefined);
    }
    this.#isAdopted ||= this.#program.left !== undefined && this.#program.pid === undefined;
    this.#isCommanded ||= this.#isAdopted;
    this.#program.start();
  }

  async #clear(ended: Promise<unknown>): Promise<void> {
    await ended;
    this.#program.forget();
    this.#isAdopted = false;
    this.#displayLost = false;
    await removeBrowserFiles();
    this.#options.handover.remove(NAME);
  }

  async #prepare(): Promise<readonly string[]> {
    const { handover } = this.#options;
    const extensions = await prepare(this.#options, this.#launch);
    handover.write(NAME, { isFinishing: false } satisfies Left);
    return extensions;
  }

  #wasClosed({ code }: Exit): boolean {
    return this.#isAdopted ? exitedNormally() : code === 0;
  }

  async #makeCommand(deaths: number) {
    const { env, ready, profile } = this.#options;
    const whenReady = ready();
    const extensions = (await this.#folders) ?? [];
    if (this.#run !== 'first') await unlockProfile();
    denyFileAccess(this.#launch.chromium);
    const loaded = await profile(this.#launch);
    const gpu = this.#launch.chromium.webgl && (await hasGraphicsCard());
    const major = this.#launch.chromium.user_agent ? await chromiumMajor(env) : 0;
    await whenReady;
    // From here on another launch finds this one's page.
    this.#isCommanded = true;
    const launch = this.#launch;
    const crashed = this.#run === 'after a crash' || (this.#run !== 'first' && this.#displayLost);
    this.#displayLost = false;
    const begins = this.#run === 'first' && loaded && launch.chromium.start_url === undefined;
    const restore = (crashed || begins) && deaths < DEATHS_BLAMED_ON_TABS && canRestore(PROFILE_FOLDER);
    if (!restore) forgetExit();
    return {
      file: CHROMIUM,
      args: flags(launch, { restore, isPrepared: this.#isPrepared, loaded, gpu, major, extensions }),
      env: { ...env, ...texts(launch), ...NO_API_KEYS },
      niceness: NICENESS,
    };
  }
}

const foldersOf = (launch: LaunchChromium) => extensionNames(launch.chromium).map(extensionFolder);

/** Writes the files that the browser reads; returns the folders of its extensions. */
async function prepare(
  { connection, profile, extension }: BrowserOptions,
  launch: LaunchChromium,
): Promise<readonly string[]> {
  const extensions = installExtensions(launch.chromium, connection);
  await Promise.all([profile(launch).then(loaded => prepareProfile(launch.chromium, loaded)), extension(launch)]);
  return extensions;
}

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
