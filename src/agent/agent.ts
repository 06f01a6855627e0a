import { fromHelper, USER_BYTES } from '../protocol/display-helper.js';
import type { Launch, LaunchChromium, LaunchConsole, ProfileOptions, ToAgent } from '../protocol/generated/schemas.js';
import { MessageType } from '../protocol/message-type.js';
import { ActivityMeter } from './activity.js';
import { Browser } from './browser/browser.js';
import { BrowserControl } from './browser/control.js';
import { ExtensionUpload } from './browser/extension/extension-upload.js';
import { openFirstPages } from './browser/launch/first-page.js';
import { phoneTabs } from './browser/launch/phone.js';
import { Console } from './console/console.js';
import { Desktop } from './desktop/desktop.js';
import { DisplayHelper } from './display/helper.js';
import { keyframe, rate, release, scrollOf, setDisplay, stream, turn, typeOf } from './display/messages.js';
import { Files } from './files/files.js';
import type { Handover } from './handover/handover.js';
import { leaveLaunch, leftLaunch } from './handover/launch.js';
import { leaveState, leftState } from './handover/state.js';
import { Calls } from './link/calls.js';
import { launchProblem, parseControl } from './link/control.js';
import { classify } from './link/incoming.js';
import type { Link } from './link/link.js';
import type { Route } from './link/routes.js';
import type { LinkHandler } from './link/server.js';
import type { Upgrade } from './link/upgrades.js';
import { merge, NO_WISHES, type Wishes } from './link/wishes.js';
import type { Fields, Log } from './log.js';
import { endStrays } from './process/left.js';
import { processesLeft } from './process/program.js';
import { ProfileTransfer } from './profile/transfer.js';
import { screenshot } from './screenshot/shot.js';
import { Screenshots } from './screenshot/screenshots.js';
import type { SessionProgram } from './session-program.js';
import { sparseWarning } from './sparse.js';
import { next, type State, type StateEvent } from './state.js';

export interface AgentOptions {
  readonly log: Log;
  /** Environment of the programs in the container. */
  readonly env: Record<string, string>;
  /** State left by the previous agent, and kept for the next one. */
  readonly handover: Handover;
  /**
   * Descriptor on which the X server of the container's start script reports that it is ready; undefined if it already
   * has.
   */
  readonly readyFd: number | undefined;
}

/** Connects the links to the programs in the container. */
export class Agent implements LinkHandler {
  /** The calls and requests that the service may make. */
  readonly calls = new Calls();
  readonly routes: Route[] = [];
  readonly upgrades: Upgrade[] = [];
  readonly #profile: ProfileTransfer;
  readonly #custom: ExtensionUpload;
  readonly #options: AgentOptions;
  readonly #links = new Set<Link>();
  readonly #desktop: Desktop;
  readonly #helper: DisplayHelper;
  readonly #activity: ActivityMeter;
  readonly #screenshots = new Screenshots({
    ask: width => this.#helper.send(screenshot(width)),
    displayWidth: () => this.#helper.displaySize?.width,
  });
  readonly #files: Files;
  readonly #control: BrowserControl;
  readonly #refused: (fields: Fields) => void;
  #program: SessionProgram | undefined;
  #console: Console | undefined;
  #state: State = { state: 'idle' };
  #wishes: Wishes = NO_WISHES;

  constructor(options: AgentOptions) {
    this.#options = options;
    const { log, env, handover } = options;
    this.#refused = sparseWarning(log, 'message refused');
    this.#activity = new ActivityMeter(
      activity => this.#links.forEach(link => link.tell(activity)),
      undefined,
      handover,
    );
    this.#profile = new ProfileTransfer(handover);
    this.#custom = new ExtensionUpload(handover);
    this.#desktop = new Desktop({
      log,
      env,
      handover,
      readyFd: options.readyFd,
      lost: () => {
        this.#program?.displayLost();
        this.#change({ type: 'lost' });
      },
      failed: message => this.#change({ type: 'failed', message }),
    });
    this.#helper = new DisplayHelper({
      log,
      env,
      handover,
      ready: () => this.#desktop.whenUp(),
      message: body => this.#show(body),
    });
    this.routes.push(...this.#profile.routes, this.#custom.route);
    this.#control = new BrowserControl({
      log,
      calls: this.calls,
      handover,
      tell: event => this.#links.forEach(link => link.tell(event)),
      displaySize: () => this.#helper.displaySize,
      turn: ({ dx, dy }) => this.#helper.send(turn(dx, dy)),
    });
    this.#files = new Files({
      log,
      extension: this.#control.extension,
      handover,
      tell: message => this.#links.forEach(link => link.tell(message)),
      display: () => this.#helper.displaySize,
    });
    this.#files.offer(this.calls);
    this.routes.push(this.#screenshots.route, ...this.#files.routes, ...this.#control.routes);
    this.upgrades.push(this.#control.extension);
  }

  /** Starts what every session needs, and continues the session of the previous agent. */
  start(): void {
    const { log, handover } = this.#options;
    const strays = endStrays(processesLeft(handover));
    const launch = leftLaunch(handover);
    // Programs first: they must notice if something they depend on has died meanwhile.
    if (launch !== undefined) {
      log.info('session taken over', { kind: launch.kind, strays });
      this.#resume(launch);
    }
    this.#desktop.start();
    this.#helper.start();
  }

  /** Ends all programs, starting with the session's own so that it can save its state. */
  async stop(): Promise<void> {
    this.#activity.stop();
    this.#files.stop();
    await this.#program?.stop();
    this.#control.stop();
    await this.#helper.stop();
    await this.#desktop.stop();
  }

  opened(link: Link): void {
    this.#links.add(link);
    link.tell({ type: 'state', ...this.#state });
    link.tell(this.#activity.current());
    for (const body of this.#helper.picture()) link.send(body);
    for (const message of this.#files.current) link.tell(message);
    this.#tellOfGame(link);
  }

  closed(link: Link): void {
    this.#links.delete(link);
    // Otherwise input held by this replica's viewers would stay pressed.
    this.#helper.send(release());
    this.#console?.releasePads();
    this.#control.lost(link);
    this.#applyWishes();
    this.#applyPresence();
  }

  binary(link: Link, body: Buffer): void {
    const incoming = classify(body);
    switch (incoming?.kind) {
      case undefined:
        this.#refused({ type: typeOf(body), bytes: body.length });
        return;
      case 'input':
        this.#activity.input();
        // Games are played with pads: keys and pointer would only move invisible things.
        if (this.#console !== undefined) return;
        this.#helper.send(body);
        this.#control.input(incoming.event);
        return;
      case 'touch':
        this.#activity.input();
        this.#control.touch(link, incoming.user, incoming.event);
        return;
      case 'pad':
        this.#activity.input();
        this.#console?.pad(incoming.event);
        return;
      case 'pass':
        this.#helper.send(body);
        return;
      case 'keyframe':
        this.#helper.send(keyframe());
        return;
      case 'stream':
        link.wishes = { ...link.wishes, video: incoming.video, audio: incoming.audio };
        this.#applyWishes();
        return;
      case 'rate':
        link.wishes = { ...link.wishes, kbps: incoming.kbps };
        this.#applyWishes();
    }
  }

  text(link: Link, text: string): void {
    const message = parseControl(text);
    if (message) return this.#obey(link, message);
    this.#refused({ type: 'text', bytes: text.length });
    const error = launchProblem(text);
    if (error !== null) link.tell({ type: 'launched', error });
  }

  #obey(link: Link, message: ToAgent): void {
    switch (message.type) {
      case 'launch':
        this.#launch(message);
        link.tell({ type: 'launched' });
        link.tell({ type: 'state', ...this.#state });
        this.#tellOfGame(link);
        return;
      case 'presence':
        link.viewers = message.viewers;
        this.#applyPresence();
        return;
      case 'touch':
        this.#activity.input();
        return;
      case 'call':
        void this.calls.answer(message).then(result => link.tell(result));
    }
  }

  #launch(launch: Launch): void {
    // Not handed over to the next agent, which is told again.
    if (launch.kind === 'chromium') this.#control.useProxy(launch.chromium.http_proxy);
    if (this.#program) return;
    this.#options.log.info('launch', { kind: launch.kind });
    this.#activity.launched();
    this.#helper.send(setDisplay(launch.display));
    leaveLaunch(this.#options.handover, launch);
    this.#newProgram(launch).start();
    this.#change({ type: 'launched' });
  }

  /** Continues with what the previous agent launched. */
  #resume(launch: Launch): void {
    const program = this.#newProgram(launch);
    this.#change({ type: 'resumed', state: leftState(this.#options.handover) });
    if (this.#state.state !== 'failed') program.start();
  }

  #newProgram(launch: Launch): SessionProgram {
    const program = launch.kind === 'chromium' ? this.#newBrowser(launch) : (this.#console = this.#newConsole(launch));
    this.#program = program;
    this.#profile.launched(program);
    return program;
  }

  #newBrowser(launch: LaunchChromium): Browser {
    this.#files.start();
    const extension = launch.chromium.extension ? this.#custom.there : Promise.resolve();
    const { extension: channel } = this.#control;
    const prepare = launch.chromium.user_agent === 'chrome_android' ? phoneTabs(channel) : undefined;
    openFirstPages(channel, launch.chromium, this.#options.log, prepare);
    const profile = this.#beginsWith(launch.chromium.profile);
    return new Browser({ ...this.#programOptions(), launch, connection: this.#control.connection, profile, extension });
  }

  #newConsole(launch: LaunchConsole): Console {
    return new Console({
      ...this.#programOptions(),
      launch,
      profile: this.#beginsWith(launch.console.profile),
      calls: this.calls,
      routes: this.routes,
      tell: message => this.#links.forEach(link => link.tell(message)),
      unplayable: message => this.#change({ type: 'failed', message, cause: 'content' }),
    });
  }

  /** Resolves when the initial profile is in place, with whether there is one. */
  #beginsWith(profile: ProfileOptions | undefined): Promise<boolean> {
    return profile?.load ? this.#profile.loaded.then(() => true) : Promise.resolve(false);
  }

  #programOptions() {
    return {
      log: this.#options.log,
      env: this.#options.env,
      handover: this.#options.handover,
      // The display's size arrives meanwhile: programs take far longer to open their first window.
      ready: () => this.#desktop.whenUp(),
      lost: () => {
        this.#files.lost();
        this.#change({ type: 'lost' });
      },
      failed: (message: string) => this.#change({ type: 'failed', message }),
    };
  }

  #tellOfGame(link: Link): void {
    for (const message of this.#console?.current ?? []) link.tell(message);
  }

  #show(body: Buffer): void {
    const type = typeOf(body);
    if (type === MessageType.shot) return this.#screenshots.piece(body);
    const windows = fromHelper.windows.decode(body, USER_BYTES);
    if (windows !== null) this.#change({ type: 'windows', ...windows });
    const scroll = scrollOf(body);
    if (scroll !== null) return this.#control.scroll(scroll);
    let behind = false;
    for (const link of this.#links) behind = link.send(body) || behind;
    if (behind) this.#helper.send(keyframe());
  }

  #change(event: StateEvent): void {
    const state = next(this.#state, event);
    if (state.state === this.#state.state) return;
    this.#state = state;
    leaveState(this.#options.handover, state);
    this.#options.log.info('state', { state: state.state, message: state.message });
    for (const link of this.#links) link.tell({ type: 'state', ...state });
  }

  #applyWishes(): void {
    const before = this.#wishes;
    const now = merge([...this.#links].map(({ wishes }) => wishes));
    this.#wishes = now;
    if (now.kbps !== undefined && now.kbps !== before.kbps) this.#helper.send(rate(now.kbps));
    if (now.video !== before.video || now.audio !== before.audio) this.#helper.send(stream(now.video, now.audio));
  }

  #applyPresence(): void {
    this.#activity.viewers([...this.#links].reduce((sum, { viewers }) => sum + viewers, 0));
  }
}
