import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { CloseWarning, FromAgent, Join, SessionState, ToViewer } from '../../protocol/generated/schemas.js';
import { CloseCode } from '../../protocol/message-type.js';
import { equal } from '../sessions/tokens.js';
import { initialAccess, mayControl, mayCopy, mayResize, type Access } from './access.js';
import { Admissions } from './admissions.js';
import { AgentCalls } from './agent-calls.js';
import { AgentHttp } from './agent-http.js';
import { TokenBucket } from './bucket.js';
import { CallError } from './call-error.js';
import { findCall } from './calls/index.js';
import { ChooserDemand } from './chooser-demand.js';
import { demandOf } from './demand.js';
import { DisplayControl } from './display.js';
import { Fanout } from './fanout.js';
import type { AgentMedia } from './from-agent.js';
import type { ViewerMessage } from './from-viewer.js';
import { Hands } from './hands.js';
import { Link } from './link.js';
import { Notices } from './notices.js';
import { Play } from './play.js';
import { sessionState } from './session-state.js';
import { enveloped, setDisplayMessage } from './to-agent.js';
import type { Credential, EndReason, HubOptions, LinkTarget, Origin } from './types.js';
import { Users } from './users.js';
import { ViewerCalls } from './viewer-calls.js';
import { Viewer } from './viewer.js';
import { gesturesOf, welcome } from './welcome.js';

/** Of the viewers' wishes to restart the inactive timeout, so many reach the agent. */
const TOUCHES = { perSecond: 1, burst: 3 };

export type ChannelOptions = Pick<HubOptions, 'log' | 'metrics' | 'events' | 'verify' | 'headerPrefix'>;

/** One session: the link to its agent, its viewers, and what a viewer that joins must be told. */
export class Channel {
  readonly users: Users;
  readonly #target: LinkTarget;
  readonly #options: ChannelOptions;
  readonly #log: Logger;
  readonly #link: Link;
  readonly #connected = new Set<Viewer>();
  readonly #joined = new Set<Viewer>();
  readonly #fanout: Fanout;
  readonly #hands: Hands;
  /** Null where the session is not a console. */
  readonly #play: Play | null;
  readonly #display: DisplayControl;
  readonly #calls: AgentCalls;
  readonly #viewerCalls: ViewerCalls;
  readonly #admissions: Admissions;
  readonly #notices = new Notices(this.#joined);
  readonly #choosers: ChooserDemand;
  readonly #touches = new TokenBucket(TOUCHES.perSecond, TOUCHES.burst);
  #session: SessionState = { type: 'session', state: 'starting' };
  #cursor: Buffer | undefined;
  #warning: CloseWarning | undefined;
  #lastNumber = 0;

  constructor(target: LinkTarget, options: ChannelOptions) {
    this.#target = target;
    this.#options = options;
    this.#log = options.log.child({ session_id: target.sessionId });
    this.#link = new Link(
      target,
      {
        opened: () => this.#linkOpened(),
        lost: () => this.#linkLost(),
        media: message => this.#media(message),
        control: message => this.#control(message),
      },
      this.#log,
    );
    this.users = new Users(this.#joined, target.defaults, {
      changed: (viewer, before) => this.#accessChanged(viewer, before),
      defaults: defaults => options.events.defaults(target.sessionId, defaults),
    });
    this.#admissions = new Admissions({
      policy: target.auth,
      headerPrefix: options.headerPrefix,
      users: this.users,
      log: this.#log,
      isAdminToken: token => this.#isAdminToken(token),
      admitted: (viewer, join) => this.#join(viewer, join),
    });
    const send = (message: Buffer) => this.#link.send(message);
    this.#calls = new AgentCalls(call => this.#link.tell(call));
    // What a lost link does not bring is told again on the next.
    const enableChoosers = (enabled: boolean) => void this.#calls.call('files.enable', [enabled]).catch(() => undefined);
    this.#choosers = new ChooserDemand(this.#joined, enableChoosers);
    this.#viewerCalls = new ViewerCalls(
      (viewer, { method, args }) => this.perform(viewer.access, method, args, viewer),
      this.#log,
    );
    this.#fanout = new Fanout(this.#joined, send, options.metrics);
    this.#hands = new Hands(this.#joined, {
      send: (user, message) => send(enveloped(user, message)),
      // Nobody waits for the result: where there is nothing to go to, nothing happens.
      swipe: direction => {
        this.touch();
        void this.#calls.call('swipe', [direction]).catch(() => undefined);
      },
    });
    const isConsole = target.launch.kind !== 'chromium';
    this.#play = isConsole
      ? new Play(this.#joined, {
          send: (user, message) => send(enveloped(user, message)),
          changed: seats => this.#tellAll(seats),
        })
      : null;
    this.#display = new DisplayControl(target.launch.display, display => send(setDisplayMessage(display)));
  }

  get kind(): string {
    return this.#target.launch.kind;
  }

  get viewerCount(): number {
    return this.#joined.size;
  }

  /** Sockets of viewers, joined or about to. */
  get socketCount(): number {
    return this.#connected.size;
  }

  /** Opens the link; see Link.open. */
  open(): Promise<void> {
    return this.#link.open();
  }

  /** Takes over the socket of a viewer that showed a token. */
  admit(socket: WebSocket, credential: Credential, about: Origin): void {
    const viewer = new Viewer(socket, ++this.#lastNumber, about, initialAccess(this.users.defaults, credential), {
      message: (viewer, message) => this.#message(viewer, message),
      left: viewer => this.#left(viewer),
    });
    this.#connected.add(viewer);
    this.#log.info({ user_id: viewer.userId, ...about }, 'viewer connected');
  }

  /** The viewer that was given this ticket, while it is connected. */
  byTicket(ticket: string): Viewer | undefined {
    return [...this.#joined].find(viewer => equal(viewer.ticket, ticket));
  }

  warn(warning: CloseWarning): void {
    this.#warning = warning.timeout === undefined ? undefined : warning;
    this.#tellAll(warning);
  }

  touch(): void {
    this.#link.tell({ type: 'touch' });
  }

  /** Tells viewers what the session waits for while it starts. */
  waitsFor(message: string): void {
    if (this.#session.state === 'starting') this.#setSession({ type: 'session', state: 'starting', message });
  }

  /** Asks the agent to do something. @throws CallError */
  call(method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#calls.call(method, args);
  }

  /** Carries out a call for somebody who has this access. @throws CallError */
  async perform(access: Access, method: string, args: unknown, viewer?: Viewer): Promise<unknown> {
    const call = findCall(method);
    if (call === undefined) throw new CallError('unknown_method', `There is no call ${method}.`);
    return call.carryOut(
      {
        kind: this.kind,
        users: this.users,
        play: this.#play,
        viewer,
        agent: (...asked) => this.#calls.call(...asked),
      },
      access,
      args,
    );
  }

  /** Sends the agent an HTTP request; see AgentHttp. */
  get http(): AgentHttp {
    return new AgentHttp(this.#target);
  }

  /** Tells viewers of the end and closes everything; resolves when they are gone. */
  end(reason: EndReason, message?: string): Promise<void> {
    const end: ToViewer = { type: 'end', reason, ...(message === undefined ? {} : { message }) };
    for (const viewer of this.#connected) viewer.tell(end);
    return this.#close(CloseCode.ended, reason);
  }

  /** Closes everything with a code upon which viewers connect again; resolves when they are gone. */
  restart(): Promise<void> {
    return this.#close(1012, 'restart');
  }

  async #close(code: number, reason: string): Promise<void> {
    const closed = [...this.#connected].map(viewer => viewer.close(code, reason));
    this.#link.close();
    this.#calls.abandon();
    this.#fanout.stop();
    this.#hands.stop();
    this.#display.stop();
    await Promise.all(closed);
  }

  #linkOpened(): void {
    this.#link.tell(this.#target.launch);
    this.#tellPresence();
    this.#display.renew();
    this.#fanout.renew();
    this.#choosers.renew();
  }

  #linkLost(): void {
    this.#calls.abandon();
    this.#hands.reset();
    this.#play?.reset();
    this.#setSession({ type: 'session', state: 'restarting', message: 'The connection to the session was lost.' });
  }

  #media(message: AgentMedia): void {
    switch (message.type) {
      case 'video':
        return this.#fanout.video(message.frame);
      case 'audio':
        return this.#fanout.audio(message.bytes);
      case 'cursor':
        // A copy: the original is part of a larger piece of memory.
        this.#cursor = Buffer.from(message.bytes);
        for (const viewer of this.#joined) viewer.offerCursor(this.#cursor);
        return;
      case 'display':
        this.#display.confirm(message.display);
        this.#tellAll(this.#display.message);
        return this.#updateDemand();
      case 'clipboard':
        for (const viewer of this.#joined) {
          if (mayCopy(viewer.access)) viewer.tell({ type: 'clipboard', text: message.text });
        }
    }
  }

  #control(message: FromAgent): void {
    switch (message.type) {
      case 'activity':
        return this.#options.events.activity(this.#target.sessionId, message);
      case 'state':
        this.#setSession(sessionState(message));
        return this.#options.events.state(this.#target.sessionId, message);
      case 'result':
        return this.#calls.answered(message);
      case 'wants':
        return this.#options.events.wants(this.#target.sessionId);
      case 'event':
      case 'download':
      case 'file_chooser':
        return this.#notices.take(message);
    }
  }

  #message(viewer: Viewer, message: ViewerMessage): void {
    switch (message.type) {
      case 'join':
        return void this.#admissions.knock(viewer, message);
      case 'input':
        if (message.event.type === 'touch' && !gesturesOf(this.#target.launch).pinch) return;
        return this.#hands.input(viewer, message.event, message.bytes);
      case 'pad':
        return this.#play?.pad(viewer, message.event, message.bytes);
      case 'paste':
        return this.#hands.paste(viewer, message.bytes);
      case 'ack':
        return viewer.video.acknowledge(message.frame, performance.now());
      case 'refresh':
        viewer.video.reset();
        return this.#fanout.attend();
      case 'media':
        return this.#setMedia(viewer, message.video, message.audio);
      case 'resize':
        return this.#resize(viewer, message.width, message.height);
      case 'touch':
        if (this.#touches.take(performance.now())) this.touch();
        return;
      case 'admin':
        return this.#becomeAdmin(viewer, message.admin_token);
      case 'swipe':
        if (gesturesOf(this.#target.launch).swipe) this.#hands.swipe(viewer, message.direction);
        return;
      case 'call':
        return void this.#viewerCalls.answer(viewer, message);
    }
  }

  #isAdminToken(token: string | undefined): boolean {
    return token !== undefined && this.#options.verify(this.#target.sessionId, token) === 'admin';
  }

  #join(viewer: Viewer, join: Join): void {
    if (!this.#connected.has(viewer)) return;
    viewer.answersChoosers = join.files ?? false;
    viewer.wish = { video: join.video ?? true, audio: join.audio ?? true, chroma444: join.chroma444 ?? false };
    viewer.tell(welcome(viewer, this.#target.launch));
    viewer.tell(this.#session);
    const isAdmin = this.#isAdminToken(join.admin_token);
    if (isAdmin) viewer.access = { ...viewer.access, admin: true };
    this.#joined.add(viewer);
    this.#hands.joined(viewer);
    if (join.admin_token !== undefined && !isAdmin) this.#refuseAdmin(viewer);
    this.#play?.joined(viewer, join.seats);
    viewer.tell(this.#display.message);
    if (this.#warning !== undefined) viewer.tell(this.#warning);
    if (this.#cursor !== undefined) viewer.offerCursor(this.#cursor);
    this.#notices.catchUp(viewer);
    this.#options.metrics.viewers(1);
    this.#tellPresence();
    this.#choosers.update();
    this.#updateDemand();
    this.#fanout.attend();
    viewer.admit();
  }

  #left(viewer: Viewer): void {
    this.#connected.delete(viewer);
    this.#admissions.forget(viewer);
    if (!this.#joined.delete(viewer)) return;
    this.#options.metrics.viewers(-1);
    this.#choosers.update();
    this.#hands.left(viewer);
    this.#play?.left(viewer);
    this.#tellPresence();
    this.#updateDemand();
    this.#log.info({ user_id: viewer.userId }, 'viewer left');
  }

  #setMedia(viewer: Viewer, video = viewer.wish.video, audio = viewer.wish.audio): void {
    if (video !== viewer.wish.video) viewer.video.reset();
    viewer.wish = { ...viewer.wish, video, audio };
    this.#updateDemand();
    this.#fanout.attend();
  }

  #resize(viewer: Viewer, width: number, height: number): void {
    if (!mayResize(viewer.access)) {
      viewer.tell({ type: 'refused', code: 'role_required', message: 'Resizing needs the role resize.' });
    } else if (!this.#display.resize(width, height)) {
      const message = `The area must be at most ${this.#display.maxArea} pixels.`;
      viewer.tell({ type: 'refused', code: 'too_large', message });
    }
  }

  #becomeAdmin(viewer: Viewer, token: string): void {
    if (this.#isAdminToken(token)) return this.users.setAccess(viewer, { ...viewer.access, admin: true });
    this.#hands.tellAccess(viewer);
    this.#refuseAdmin(viewer);
  }

  #refuseAdmin(viewer: Viewer): void {
    viewer.tell({ type: 'refused', code: 'admin_token_invalid', message: 'This is not the admin token.' });
    viewer.faulted();
  }

  #accessChanged(viewer: Viewer, before: Access): void {
    this.#hands.accessChanged(viewer);
    // Seats are apart from who has keys and pointer.
    if (mayControl(before) && !mayControl(viewer.access)) this.#play?.left(viewer);
    this.#notices.catchUp(viewer, before);
    this.#choosers.update();
  }

  #updateDemand(): void {
    const demand = demandOf([...this.#joined].map(viewer => viewer.wish));
    const isSharp = this.#target.launch.display.quality === 'sharp';
    if (demand.video) this.#display.setChroma(isSharp && demand.chroma444);
    this.#fanout.want(demand);
  }

  #setSession(session: SessionState): void {
    this.#session = session;
    this.#tellAll(session);
  }

  #tellPresence(): void {
    this.#link.tell({ type: 'presence', viewers: this.#joined.size });
  }

  #tellAll(message: ToViewer): void {
    for (const viewer of this.#joined) viewer.tell(message);
  }
}
