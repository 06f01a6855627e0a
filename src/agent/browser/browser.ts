import type { ExtensionConnection } from '../../protocol/extension.js';
import type { LaunchChromium } from '../../protocol/generated/schemas.js';
import { hasFields, isFlag, type Handover } from '../handover/handover.js';
import type { Log } from '../log.js';
import { outlive } from '../process/left.js';
import { Program, type Exit } from '../process/program.js';
import type { SessionProgram } from '../session-program.js';
import { exitedNormally } from './launch/exit-type.js';
import { extensionFolder, extensionNames, installExtensions } from './extension/extensions.js';
import { denyFileAccess } from './extension/file-access.js';
import { flags } from './launch/flags.js';
import { hasGraphicsCard } from './launch/graphics-card.js';
import { locale } from './launch/locale.js';
import { CHROMIUM, PROFILE_FOLDER } from './paths.js';
import { chromiumContent } from './profile/profile-content.js';
import { prepareProfile, unlockProfile } from './profile/profile.js';
import { canRestore } from './profile/session-file.js';
import { chromiumMajor } from './launch/user-agent.js';

export interface BrowserOptions {
  readonly launch: LaunchChromium;
  readonly log: Log;
  readonly env: Record<string, string>;
  readonly handover: Handover;
  /** What the internal extension needs to reach the agent. */
  readonly connection: ExtensionConnection;
  /** Resolves when the X server takes connections. */
  readonly ready: () => Promise<void>;
  /** Resolves when the profile to begin with is in its place, with whether there is one. */
  readonly profile: Promise<boolean>;
  /** Resolves when the custom extension is in its folder, or there is none. */
  readonly extension: Promise<void>;
  /** The browser ended and is started again. */
  readonly lost: () => void;
  /** The browser cannot be kept running. */
  readonly failed: (reason: string) => void;
}

/** How long Chromium may take to write down what must be kept, milliseconds. */
const SAVING_GRACE = 10_000;

/** From this death in a row on the tabs are not opened again: one of them may be what kills it. */
const DEATHS_BLAMED_ON_TABS = 4;

/** What another agent must know of the browser besides its process. */
interface Left {
  /** It was told to end for good. */
  readonly isFinishing: boolean;
}

const NAME = 'browser';
const isLeft = (value: unknown): value is Left => hasFields(value, { isFinishing: isFlag });

/** Chromium, kept running: after a crash with its tabs, after its last window was closed anew. */
export class Browser implements SessionProgram {
  readonly content = chromiumContent();
  readonly #options: BrowserOptions;
  readonly #program: Program;
  readonly #prepared: Promise<readonly string[]>;
  #run: 'first' | 'after a crash' | 'after it was closed' = 'first';
  #displayLost = false;
  /** Whether another agent has started it: then only its profile tells how it has ended. */
  #isAnothers = false;
  /** Resolves when what an agent before has told to end for good has ended. */
  #finished: Promise<void> | undefined;

  constructor(options: BrowserOptions) {
    this.#options = options;
    const left = options.handover.read(NAME, isLeft);
    this.#prepared = left === undefined ? this.#prepare() : Promise.resolve(foldersOf(options));
    // Awaited before each start; until then a failure must not count as unhandled.
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
      // Upon SIGTERM Chromium takes the machine for going down, and leaves much unwritten.
      polite: 'SIGINT',
      grace: 1800,
    });
    // Told a second time it would end without writing down anything more.
    if (left?.isFinishing) this.#finished = outlive(this.#program.left, SAVING_GRACE);
  }

  start(): void {
    if (this.#finished !== undefined) return;
    this.#isAnothers = this.#program.left !== undefined;
    this.#program.start();
  }

  /** The X server died: Chromium ends too, and it may look as if it had been closed. */
  displayLost(): void {
    this.#displayLost = true;
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }

  /** Ends Chromium for good, with all the time that it needs to write down what must be kept. */
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

/** Lays down what the browser reads; gives the folders of its extensions. */
async function prepare({ launch, connection, profile, extension }: BrowserOptions): Promise<readonly string[]> {
  const [extensions] = await Promise.all([
    installExtensions(launch.chromium, connection),
    profile.then(loaded => prepareProfile(launch.chromium, loaded)),
    extension,
  ]);
  return extensions;
}

/** Without keys Chromium would say so in a bar on every page. */
const NO_API_KEYS = { GOOGLE_API_KEY: 'no', GOOGLE_DEFAULT_CLIENT_ID: 'no', GOOGLE_DEFAULT_CLIENT_SECRET: 'no' };

/**
 * The language of the browser's own texts comes from the environment. The image has no locales but this one, and
 * without any that exists downloads would lose names that are not ASCII.
 */
function texts(launch: LaunchChromium): Record<string, string> {
  const { posix } = locale(launch.chromium.locale);
  return { LC_ALL: 'C.UTF-8', LANGUAGE: posix.replace(/\..*/, '') };
}
