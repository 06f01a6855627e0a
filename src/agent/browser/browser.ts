import type { ExtensionConnection } from '../../protocol/extension.js';
import type { LaunchChromium } from '../../protocol/generated/schemas.js';
import { hasFields, isFlag, type Handover } from '../handover/handover.js';
import type { Log } from '../log.js';
import { waitOrKill } from '../process/adopted.js';
import { Program, type Exit } from '../process/program.js';
import type { ProfileOwner } from '../profile/transfer.js';
import { exitedNormally } from './launch/exit-type.js';
import { extensionFolder, extensionNames, installExtensions } from './extension/extensions.js';
import { denyFileAccess } from './extension/file-access.js';
import { flags } from './launch/flags.js';
import { hasGraphicsCard } from './launch/graphics-card.js';
import { locale } from './launch/locale.js';
import { CHROMIUM, PROFILE_FOLDER } from './paths.js';
import { chromiumContent, prepareProfile, unlockProfile } from './profile/profile.js';
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
  readonly profile: Promise<boolean>;
  /** Resolves when the custom extension is in its folder, or there is none. */
  readonly extension: Promise<void>;
  /** The browser ended and is being restarted. */
  readonly lost: () => void;
  /** The browser keeps crashing and is given up. */
  readonly failed: (reason: string) => void;
}

/** How long Chromium may take to write its state, milliseconds. */
const SAVING_GRACE = 10_000;

/** From this consecutive crash on, tabs are not restored: one of them may be the cause. */
const DEATHS_BLAMED_ON_TABS = 4;

/** What the next agent must know about the browser besides its process. */
interface Left {
  /** It was told to end permanently. */
  readonly isFinishing: boolean;
}

const NAME = 'browser';
const isLeft = (value: unknown): value is Left => hasFields(value, { isFinishing: isFlag });

/** Keeps Chromium running: restarted with its tabs after a crash, afresh after its last window was closed. */
export class Browser implements ProfileOwner {
  readonly content = chromiumContent();
  readonly #options: BrowserOptions;
  readonly #program: Program;
  readonly #prepared: Promise<readonly string[]>;
  #run: 'first' | 'after a crash' | 'after it was closed' = 'first';
  #displayLost = false;
  /** Whether a previous agent started it: then only its profile tells how it ended. */
  #isAnothers = false;
  /** Resolves when a browser that a previous agent told to end permanently has ended. */
  #finished: Promise<void> | undefined;

  constructor(options: BrowserOptions) {
    this.#options = options;
    const left = options.handover.read(NAME, isLeft);
    this.#prepared = left === undefined ? this.#prepare() : Promise.resolve(foldersOf(options));
    // Awaited before each start; until then a rejection must not count as unhandled.
    this.#prepared.catch(() => undefined);
    this.#program = new Program({
      name: 'chromium',
      log: options.log,
      policy: { first: 100, longest: 1000, window: 60_000, tolerated: 5 },
      command: deaths => this.#command(deaths),
      handover: options.handover,
      adopted: () => undefined,
      normal: exit => this.#wasClosed(exit),
      died: exit => {
        this.#run = this.#wasClosed(exit) ? 'after it was closed' : 'after a crash';
        this.#isAnothers = false;
        options.lost();
      },
      gaveUp: options.failed,
      // On SIGTERM Chromium assumes that the machine is shutting down, and leaves much unwritten.
      polite: 'SIGINT',
      grace: 1800,
    });
    // On a second request it would end without writing anything more.
    if (left?.isFinishing) this.#finished = waitOrKill(this.#program.left, SAVING_GRACE);
  }

  start(): void {
    if (this.#finished !== undefined) return;
    this.#isAnothers = this.#program.left !== undefined;
    this.#program.start();
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

  async #prepare(): Promise<readonly string[]> {
    const { handover } = this.#options;
    const extensions = await prepare(this.#options);
    handover.write(NAME, { isFinishing: false } satisfies Left);
    return extensions;
  }

  #wasClosed({ code }: Exit): boolean {
    return this.#isAnothers ? exitedNormally() : code === 0;
  }

  async #command(deaths: number) {
    const { launch, env, ready } = this.#options;
    const [extensions] = await Promise.all([this.#prepared, ready()]);
    if (this.#run !== 'first') await unlockProfile();
    await denyFileAccess(launch.chromium);
    const loaded = await this.#options.profile;
    const crashed = this.#run === 'after a crash' || (this.#run !== 'first' && this.#displayLost);
    this.#displayLost = false;
    const begins = this.#run === 'first' && loaded && launch.chromium.start_url === undefined;
    const restore = (crashed || begins) && deaths < DEATHS_BLAMED_ON_TABS && (await canRestore(PROFILE_FOLDER));
    const gpu = launch.chromium.webgl && (await hasGraphicsCard());
    const major = launch.chromium.user_agent ? await chromiumMajor(env) : 0;
    return {
      file: CHROMIUM,
      args: flags(launch, { restore, loaded, gpu, major, extensions }),
      env: { ...env, ...texts(launch), ...NO_API_KEYS },
    };
  }
}

const foldersOf = ({ launch }: BrowserOptions) => extensionNames(launch.chromium).map(extensionFolder);

/** Writes the files that the browser reads; returns the folders of its extensions. */
async function prepare({ launch, connection, profile, extension }: BrowserOptions): Promise<readonly string[]> {
  const [extensions] = await Promise.all([
    installExtensions(launch.chromium, connection),
    profile.then(loaded => prepareProfile(launch.chromium, loaded)),
    extension,
  ]);
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
