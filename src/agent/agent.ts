import { fromHelper, USER_BYTES } from '../protocol/display-helper.js';
import type { EncoderState, Launch, ToAgent } from '../protocol/generated/schemas.js';
import type { Preparation } from '../protocol/preparation.js';
import { MessageType } from '../protocol/message-type.js';
import { Clipboard } from './clipboard/clipboard.js';
import { ActivityMeter } from './session/activity.js';
import { DeviceScreen } from './display/device-screen.js';
import { Desktop } from './desktop/desktop.js';
import { encoderOf } from './display/encoder-state.js';
import { DisplayHelper } from './display/helper.js';
import {
  keyframe,
  rate,
  release,
  scrollOf,
  targetOf,
  setDisplay,
  smallKeyframe,
  smallLayer,
  stream,
  typeOf,
} from './display/messages.js';
import type { Handover } from './handover/handover.js';
import { storeLaunch, storedLaunch } from './session/launch.js';
import { kindOf } from './kinds/index.js';
import { answerCall } from './link/calls.js';
import { launchProblem, parseControl } from './link/control.js';
import { classify } from './link/incoming.js';
import type { Link } from './link/link.js';
import type { Route } from './link/routes.js';
import type { LinkHandler } from './link/server.js';
import type { Upgrade } from './link/upgrades.js';
import { merge, NO_MEDIA, type MediaSubscription } from './link/media-subscription.js';
import { isSmall } from './link/video-gate.js';
import type { Fields, Log } from './lib/log.js';
import { ProfileTransfer } from './profile/transfer.js';
import { screenshot } from './screenshot/shot.js';
import { Screenshots } from './screenshot/screenshots.js';
import type { Screen } from './display/screen.js';
import type { SessionProgram } from './session/session-program.js';
import { throttledWarning } from './lib/throttled-warning.js';
import { next, storedState, storeState, type State, type StateEvent } from './session/state.js';

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
  /** Whether the container has a desktop: X server, window manager and sound. Devices have a screen of their own. */
  readonly hasDesktop: boolean;
  /** Path of the scrcpy server, in images for Android. */
  readonly scrcpyServer: string;
  /** Certificates of authorities that browsers trust besides the usual ones, in base64. */
  readonly caCertificates: readonly string[];
  /** What a container that waits for its launch starts meanwhile. */
  readonly preparation: Preparation | undefined;
}

/** Connects the links to the programs in the container. */
export class Agent implements LinkHandler {
  /** The requests that the service may make. */
  readonly routes: Route[] = [];
  readonly upgrades: Upgrade[] = [];
  readonly #profile: ProfileTransfer;
  readonly #options: AgentOptions;
  readonly #links = new Set<Link>();
  /** Undefined: the container has none. */
  readonly #desktop: Desktop | undefined;
  readonly #screen: Screen;
  readonly #activity: ActivityMeter;
  readonly #screenshots = new Screenshots({
    ask: width => this.#screen.send(screenshot(width)),
    displayWidth: () => this.#screen.displaySize?.width,
    byDevice: () => this.#desktop === undefined,
  });
  readonly #clipboard = new Clipboard({
    send: body => this.#screen.send(body),
    show: body => this.#links.forEach(link => void link.send(body)),
    tell: message => this.#links.forEach(link => link.tell(message)),
  });
  readonly #refused: (fields: Fields) => void;
  #program: SessionProgram | undefined;
  /** Waits for the launch. */
  #prepared: SessionProgram | undefined;
  #kind: Launch['kind'] | undefined;
  #state: State = { state: 'idle' };
  /** Undefined: there is no graphics card. */
  #encoder: EncoderState | undefined;
  #subscription: MediaSubscription = NO_MEDIA;

  constructor(options: AgentOptions) {
    this.#options = options;
    const { log, handover } = options;
    this.#refused = throttledWarning(log, 'message refused');
    this.#activity = new ActivityMeter(
      activity => this.#links.forEach(link => link.tell(activity)),
      undefined,
      handover,
    );
    this.#profile = new ProfileTransfer(handover);
    this.#desktop = options.hasDesktop ? this.#newDesktop() : undefined;
    this.#screen = this.#newScreen();
    this.routes.push(...this.#profile.routes, this.#screenshots.route, ...this.#clipboard.routes);
  }

  /**
   * Starts what every session needs, and continues the session of the previous agent. `strays`: how many processes were
   * found that the previous agent had started but not recorded.
   */
  start(strays: number): void {
    const { log, handover, preparation } = this.#options;
    const launch = storedLaunch(handover);
    // Programs first: they must notice if something they depend on has died meanwhile.
    if (launch !== undefined) {
      log.info('session taken over', { kind: launch.kind, strays });
      this.#resume(launch);
    } else if (preparation !== undefined) this.#prepare(preparation);
    this.#desktop?.start();
    this.#screen.start();
  }

  /** Ends all programs, starting with the session's own so that it can save its state. */
  async stop(): Promise<void> {
    this.#activity.stop();
    await Promise.all([this.#program?.stop(), this.#prepared?.stop()]);
    await this.#screen.stop();
    await this.#desktop?.stop();
  }

  opened(link: Link): void {
    this.#links.add(link);
    link.tell({ type: 'state', ...this.#state });
    link.tell(this.#activity.current());
    if (this.#encoder !== undefined) link.tell(this.#encoder);
    for (const body of this.#screen.picture()) link.send(body);
    this.#tellOfProgram(link);
  }

  closed(link: Link): void {
    this.#links.delete(link);
    // Otherwise input held by this replica's viewers would stay pressed.
    this.#screen.send(release());
    this.#program?.unlinked?.(link);
    this.#applySubscriptions();
    this.#applyPresence();
  }

  binary(link: Link, body: Buffer): void {
    const incoming = classify(body);
    switch (incoming?.type) {
      case undefined:
        this.#refused({ type: typeOf(body), bytes: body.length });
        return;
      case 'input':
        this.#activity.input();
        this.#program?.input?.(incoming.event, body, link);
        return;
      case 'touch':
        this.#activity.input();
        this.#program?.touch?.(link, incoming.user, incoming.event);
        return;
      case 'pad':
        this.#activity.input();
        this.#program?.pad?.(incoming.event);
        return;
      case 'pass':
        this.#screen.send(body);
        return;
      case 'keyframe':
        this.#screen.send(keyframe());
        return;
      case 'small keyframe':
        this.#screen.send(smallKeyframe());
        return;
      case 'stream':
        link.subscription = { ...link.subscription, video: incoming.video, audio: incoming.audio };
        this.#applySubscriptions();
        return;
      case 'rate':
        link.subscription = { ...link.subscription, kbps: incoming.kbps };
        this.#applySubscriptions();
        return;
      case 'small layer':
        link.subscription = { ...link.subscription, smallKbps: incoming.kbps };
        this.#applySubscriptions();
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
        return this.#launched(link, message);
      case 'presence':
        link.viewers = message.viewers;
        this.#applyPresence();
        return;
      case 'keepAlive':
      case 'touch':
        this.#activity.input();
        return;
      case 'signature':
        return this.#program?.signed?.(message);
      case 'call':
        void answerCall((this.#program ?? this.#prepared)?.calls ?? {}, message).then(result => link.tell(result));
    }
  }

  #launched(link: Link, launch: Launch): void {
    if (this.#program === undefined) return this.#launch(link, launch);
    if (launch.kind === this.#kind) this.#program.launched?.(launch);
    link.tell({ type: 'launched' });
    link.tell({ type: 'state', ...this.#state });
  }

  #launch(link: Link, launch: Launch): void {
    this.#options.log.info('launch', { kind: launch.kind });
    this.#activity.launched();
    this.#screen.send(setDisplay(launch.display));
    // Before the launch is stored, with which the next agent would go on from here.
    const prepared = this.#takePrepared(launch);
    storeLaunch(this.#options.handover, kindOf(launch).withoutSecrets(launch));
    const program = prepared ?? this.#newProgram(launch);
    this.#run(program, launch);
    program.launched?.(launch);
    // Before programs start, which takes the processor: the caller waits for this answer.
    link.tell({ type: 'launched' });
    this.#change({ type: 'launched' });
    program.start();
    this.#tellOfProgram(link);
  }

  /** Continues with what the previous agent launched. */
  #resume(launch: Launch): void {
    const program = this.#newProgram(launch);
    this.#run(program, launch);
    this.#change({ type: 'resumed', state: storedState(this.#options.handover) });
    if (this.#state.state !== 'failed') program.start();
  }

  /** Starts the program of a launch that will probably come. */
  #prepare(preparation: Preparation): void {
    const program = this.#newProgram(preparation);
    if (program.prepare === undefined) return;
    this.#options.log.info('prepared', { kind: preparation.kind });
    this.#prepared = program;
    this.#screen.send(setDisplay(preparation.display));
    program.prepare();
  }

  /** What was prepared, for its launch; undefined if there is nothing. */
  #takePrepared(launch: Launch): SessionProgram | undefined {
    const program = this.#prepared;
    if (program === undefined || launch.kind !== this.#options.preparation?.kind) return undefined;
    this.#prepared = undefined;
    program.become?.(launch);
    return program;
  }

  #run(program: SessionProgram, { kind }: Launch): void {
    this.#program = program;
    this.#kind = kind;
    void Promise.resolve(program.cleared).then(() => this.#profile.launched(program));
  }

  #newDesktop(): Desktop {
    const { log, env, handover, readyFd } = this.#options;
    return new Desktop({
      log,
      env,
      handover,
      readyFd,
      lost: () => {
        (this.#program ?? this.#prepared)?.displayLost?.();
        this.#change({ type: 'lost' });
      },
      failed: message => this.#change({ type: 'failed', message }),
    });
  }

  #newScreen(): Screen {
    const { log, env, handover } = this.#options;
    const message = (body: Buffer) => this.#show(body);
    if (this.#desktop === undefined) return new DeviceScreen(message);
    return new DisplayHelper({ log, env, handover, ready: () => this.#whenUp(), message });
  }

  /** Resolves when programs can be started. */
  async #whenUp(): Promise<void> {
    await this.#desktop?.whenUp();
  }

  #newProgram(launch: Launch): SessionProgram {
    const { log, env, handover } = this.#options;
    return kindOf(launch).program(launch, {
      log,
      env,
      handover,
      routes: this.routes,
      upgrades: this.upgrades,
      screen: this.#screen,
      ready: () => this.#whenUp(),
      beginsWith: profile => (profile?.load ? this.#profile.loaded.then(() => true) : Promise.resolve(false)),
      tell: message => this.#links.forEach(link => link.tell(message)),
      lost: () => this.#change({ type: 'lost' }),
      failed: (message, code) => this.#change({ type: 'failed', message, code }),
      unplayable: (message, code) => this.#change({ type: 'failed', message, cause: 'content', code }),
      step: (step, message) => this.#change({ type: 'step', step, message }),
      shown: () => this.#change({ type: 'shown' }),
      busy: () => this.#activity.input(),
      scrcpyServer: this.#options.scrcpyServer,
      caCertificates: this.#options.caCertificates,
    });
  }

  #tellOfProgram(link: Link): void {
    for (const message of this.#program?.current ?? []) link.tell(message);
  }

  #show(body: Buffer): void {
    const type = typeOf(body);
    if (type === MessageType.shot) return this.#screenshots.piece(body);
    if (type === MessageType.encoder) return this.#encodes(encoderOf(body));
    if (type === MessageType.copied) return this.#clipboard.copied(body);
    if (type === MessageType.window) return (this.#program ?? this.#prepared)?.window?.(body);
    const windows = fromHelper.windows.decode(body, USER_BYTES);
    if (windows !== null) this.#change({ type: 'windows', ...windows });
    const scroll = scrollOf(body);
    if (scroll !== null) return this.#program?.scroll?.(scroll);
    const target = targetOf(body);
    if (target !== null) return this.#program?.target?.(target);
    let behind = false;
    for (const link of this.#links) behind = link.send(body) || behind;
    if (behind) this.#screen.send(isSmall(body) ? smallKeyframe() : keyframe());
  }

  #encodes(encoder: EncoderState | undefined): void {
    if (encoder === undefined) return;
    this.#encoder = encoder;
    for (const link of this.#links) link.tell(encoder);
  }

  #change(event: StateEvent): void {
    const state = next(this.#state, event);
    if (state === this.#state) return;
    this.#state = state;
    storeState(this.#options.handover, state);
    this.#options.log.info('state', { state: state.state, message: state.message });
    for (const link of this.#links) link.tell({ type: 'state', ...state });
  }

  #applySubscriptions(): void {
    const before = this.#subscription;
    const now = merge([...this.#links].map(({ subscription }) => subscription));
    this.#subscription = now;
    if (now.kbps !== undefined && now.kbps !== before.kbps) this.#screen.send(rate(now.kbps));
    if (now.smallKbps !== before.smallKbps) this.#screen.send(smallLayer(now.smallKbps));
    if (now.video !== before.video || now.audio !== before.audio) this.#screen.send(stream(now.video, now.audio));
  }

  #applyPresence(): void {
    this.#activity.viewers([...this.#links].reduce((sum, { viewers }) => sum + viewers, 0));
  }
}
