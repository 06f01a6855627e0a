import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type {
  CloseWarning,
  DeviceState,
  GameState,
  Join,
  Seats,
  SessionState,
  ToViewer,
  TouchGestures,
} from '../../protocol/generated/schemas.js';
import type { AgentCallName, CallArguments } from '../../protocol/calls.js';
import {
  type Access,
  type Credential,
  equal,
  initialAccess,
  isInForce,
  type Kind,
  kindOf,
  mayControl,
  type SessionTokens,
  type TokenClaim,
} from '../model/index.js';
import { type AuditAction, resultOfAct, viewerAct } from '../audit/index.js';
import { Authorization } from './join/authorization.js';
import { Broadcast } from './broadcast.js';
import { TokenBucket } from '../lib/token-bucket.js';
import { carryOut } from './calls.js';
import { ChooserDelegation, type Notice, Notices } from './access/notices.js';
import { type AgentMedia, enveloped } from '../agent-link/index.js';
import type { ViewerMessage } from './viewer/from-viewer.js';
import { SessionInput } from './input/input.js';
import { Pointers } from './input/pointers.js';
import { Players } from './players/players.js';
import { Allowance, sharedBudget } from './viewer/allowance.js';
import { News } from './viewer/news.js';
import { tellAll, Viewer } from './viewer/viewer.js';
import type { Connection, HubOptions, LinkTarget } from './types.js';
import { Users } from './access/users.js';
import { ViewerCalls } from './viewer/viewer-calls.js';
import { welcome } from './join/welcome.js';

/** Rate limit for viewers' resets of the inactivity timeout that reach the agent. */
const KEEP_ALIVES = { perSecond: 1, burst: 3 };

export type SessionRoomOptions = Pick<
  HubOptions,
  'log' | 'metrics' | 'events' | 'verify' | 'webhooks' | 'headerPrefix'
>;

/** Requests of viewers to the session's agent. What is sent while there is no link is lost. */
export interface AgentSide {
  send(message: Buffer): boolean;
  /** @throws CallError */
  call<M extends AgentCallName>(method: M, args: CallArguments<M>): Promise<unknown>;
  /** Resets the inactivity timeout. */
  keepAlive(): void;
  /** Reports how many viewers have joined. */
  present(viewers: number): void;
}

/** The viewers of one session: who they are, what they may do, and what they are told. */
export class SessionRoom {
  readonly users: Users;
  readonly #target: LinkTarget;
  readonly #kind: Kind;
  readonly #options: SessionRoomOptions;
  readonly #agent: AgentSide;
  readonly #log: Logger;
  #tokens: SessionTokens;
  /** All connected viewers, and the token each came with. */
  readonly #connected = new Map<Viewer, Credential>();
  readonly #joined = new Set<Viewer>();
  readonly #authorization: Authorization;
  readonly #broadcast: Broadcast;
  readonly #input: SessionInput;
  readonly #pointers = new Pointers(this.#joined);
  /** Null if the session is not a console. */
  readonly #play: Players | null;
  readonly #gestures: TouchGestures;
  readonly #calls: ViewerCalls;
  readonly #notices = new Notices(this.#joined);
  readonly #choosers: ChooserDelegation;
  readonly #keepAlives = new TokenBucket(KEEP_ALIVES.perSecond, KEEP_ALIVES.burst);
  readonly #news = new News(this.#joined);
  /** What the viewers may cost together. */
  readonly #budget = sharedBudget();
  #lastNumber = 0;

  constructor(target: LinkTarget, options: SessionRoomOptions, agent: AgentSide) {
    this.#target = target;
    this.#kind = kindOf(target.launch.kind);
    this.#tokens = target.tokens;
    this.#options = options;
    this.#agent = agent;
    this.#log = options.log;
    this.users = new Users(this.#joined, target.defaults, {
      changed: former => this.#accessChanged(former),
      defaults: defaults => options.events.defaults(target.sessionId, defaults),
    });
    this.#authorization = new Authorization({
      policy: target.auth,
      webhooks: options.webhooks,
      headerPrefix: options.headerPrefix,
      users: this.users,
      log: this.#log,
      isAdminToken: token => this.#isAdminToken(token),
      admitted: (viewer, join) => this.#join(viewer, join),
      denied: viewer => this.#acted(viewer, { event: 'user.join' }, 'webhook_denied'),
    });
    this.#broadcast = new Broadcast(
      this.#joined,
      target.launch.display,
      message => agent.send(message),
      options.metrics,
    );
    const send = (user: number, message: Uint8Array) => agent.send(enveloped(user, message));
    this.#input = new SessionInput(this.#joined, {
      send,
      lostControl: viewer => this.#play?.letGo(viewer),
    });
    this.#gestures = this.#kind.gestures(target.launch);
    const changed = (message: GameState | Seats) => this.#news.tell(message);
    this.#play = this.#kind.seats > 0 ? new Players(this.#joined, this.#input, { send, changed }) : null;
    this.#calls = new ViewerCalls(
      (viewer, { method, args }) => this.perform(viewer.access, method, args, viewer),
      this.#log,
      (viewer, call, code) => this.#acted(viewer, viewerAct(call, code), code),
    );
    // Whatever is lost with the link is repeated on the next one.
    const enableChoosers = (enabled: boolean) => void agent.call('files.enable', [enabled]).catch(() => undefined);
    this.#choosers = new ChooserDelegation(this.#joined, enableChoosers);
  }

  get viewerCount(): number {
    return this.#joined.size;
  }

  /** The last session state that viewers were told. */
  get session(): SessionState {
    return this.#news.session;
  }

  set session(session: SessionState) {
    this.#news.session = session;
  }

  /** Takes over the socket of a viewer that presented a token. */
  admit(socket: WebSocket, credential: Credential, about: Connection): void {
    const access = initialAccess(this.users.defaults, credential);
    const allowance = new Allowance([about.budget, this.#budget]);
    const viewer = new Viewer(socket, ++this.#lastNumber, about, access, allowance, {
      message: (viewer, message) => this.#message(viewer, message),
      viewers: () => this.#joined.size,
      left: viewer => this.#left(viewer),
    });
    this.#connected.set(viewer, credential);
    const { ip, user_agent } = about;
    this.#log.info({ user_id: viewer.userId, ip, user_agent }, 'viewer connected');
  }

  /** Whether a presented token is in force. */
  isInForce(claim: TokenClaim): boolean {
    return isInForce(claim, this.#tokens);
  }

  /** Tokens were renewed. Unless `keepViewers`, viewers with an old token are disconnected permanently. */
  renewTokens(tokens: SessionTokens, keepViewers: boolean): void {
    const renewed = (purpose: Credential) => tokens[purpose].generation > this.#tokens[purpose].generation;
    const [embed, admin] = [renewed('embed'), renewed('admin')];
    this.#tokens = { ...this.#tokens, ...(embed && { embed: tokens.embed }), ...(admin && { admin: tokens.admin }) };
    if (keepViewers) return;
    for (const [viewer, credential] of this.#connected) {
      if ((embed && credential === 'embed') || (admin && viewer.access.admin)) viewer.turnAway();
    }
  }

  /** The connected viewer with this ticket. */
  byTicket(ticket: string): Viewer | undefined {
    return [...this.#joined].find(viewer => equal(viewer.ticket, ticket));
  }

  /** Records activity of a viewer; whether it has control now. */
  takesPart(viewer: Viewer): boolean {
    return this.#input.takesPart(viewer);
  }

  /** Carries out a call for a caller with this access. @throws CallError */
  async perform(access: Access, method: string, args: unknown, viewer?: Viewer): Promise<unknown> {
    const { kind } = this.#target.launch;
    const agent: AgentSide['call'] = (...asked) => this.#agent.call(...asked);
    const takesPart = (each: Viewer) => this.takesPart(each);
    const context = { kind, users: this.users, players: this.#play, viewer, takesPart, agent };
    return carryOut(method, args, access, context);
  }

  /** Shows current and later viewers when the session will end; without `timeout`, that it will not. */
  warn(warning: CloseWarning): void {
    this.#news.warn(warning);
  }

  /** The session's video and audio. */
  show(media: AgentMedia): void {
    this.#broadcast.take(media);
  }

  /** An event in the session. */
  tell(notice: Notice): void {
    this.#notices.take(notice);
  }

  /** The state of the session's game. */
  gameRuns(state: GameState): void {
    this.#play?.runs(state);
  }

  /** What the session's device is like. */
  deviceIs(device: DeviceState): void {
    if (this.#kind.device) this.#news.deviceIs(device);
  }

  /** Tells a new link what the viewers want. */
  linked(): void {
    this.#tellPresence();
    this.#broadcast.renew();
    this.#choosers.renew();
  }

  /** The link was lost, whereupon the agent releases everything. */
  unlinked(): void {
    this.#input.reset();
    this.#play?.reset();
  }

  /** Closes all sockets after a final message; resolves when the viewers are gone. */
  async close(code: number, reason: string, lastWords?: ToViewer): Promise<void> {
    if (lastWords !== undefined) tellAll(this.#connected.keys(), lastWords);
    const closed = [...this.#connected.keys()].map(viewer => viewer.close(code, reason));
    this.#broadcast.stop();
    this.#input.stop();
    this.#pointers.stop();
    this.#news.stop();
    this.#notices.stop();
    await Promise.all(closed);
  }

  #message(viewer: Viewer, message: ViewerMessage): void {
    switch (message.type) {
      case 'join':
        return void this.#authorization.knock(viewer, message);
      case 'input':
        if (message.event.type === 'touch' && !this.#gestures.pinch) return;
        this.#pointers.noted(viewer, message.event);
        return this.#input.input(viewer, message.event, message.bytes);
      case 'pad':
        return this.#play?.pad(viewer, message.event, message.bytes);
      case 'paste':
        return this.#paste(viewer, message.bytes);
      case 'refresh':
        return this.#broadcast.refresh(viewer);
      case 'media':
        return this.#broadcast.subscribe(viewer, message.video, message.audio);
      case 'resize':
        return this.#resize(viewer, message);
      case 'keepAlive':
      case 'touch':
        if (this.#keepAlives.take(performance.now())) this.#agent.keepAlive();
        return;
      case 'admin':
        return this.#becomeAdmin(viewer, message.admin_token);
      case 'swipe':
        return this.#swipe(viewer, message.direction);
      case 'call':
        return void this.#calls.answer(viewer, message);
      case 'ping':
      case 'ack':
      // The viewer has taken them.
    }
  }

  #paste(viewer: Viewer, bytes: Uint8Array): void {
    const { clipboardBytes } = this.#kind;
    // The message's first byte is its type.
    if (bytes.length - 1 <= clipboardBytes) return this.#input.paste(viewer, bytes);
    const message = `This session's clipboard takes at most ${clipboardBytes} bytes.`;
    viewer.tell({ type: 'refused', code: 'clipboard_too_large', message });
  }

  #resize(viewer: Viewer, { width, height }: { width: number; height: number }): void {
    if (this.#kind.resizable) return this.#broadcast.resize(viewer, width, height);
    const message = "The size of this session's display is that of its device.";
    viewer.tell({ type: 'refused', code: 'not_resizable', message });
  }

  /** Makes the agent go back or forward in the history. */
  #swipe(viewer: Viewer, direction: 'left' | 'right'): void {
    if (!this.#gestures.swipe || !this.#input.takesPart(viewer)) return;
    this.#agent.keepAlive();
    // Nobody waits for the result: if there is no history entry, nothing happens.
    void this.#agent.call('swipe', [direction]).catch(() => undefined);
  }

  #join(viewer: Viewer, join: Join): void {
    if (!this.#connected.has(viewer)) return;
    viewer.answersChoosers = join.files ?? false;
    viewer.subscription = { video: join.video ?? true, audio: join.audio ?? true, chroma444: join.chroma444 ?? false };
    viewer.tell(welcome(viewer, this.#target.launch));
    viewer.tell(this.session);
    const isAdmin = this.#isAdminToken(join.admin_token);
    if (isAdmin) viewer.access = { ...viewer.access, admin: true };
    this.#joined.add(viewer);
    // A connection that was lost silently still appears open for a while; its successor need not wait for it to take
    // over its identity.
    const former = join.ticket === undefined ? undefined : this.byTicket(join.ticket);
    if (former !== viewer) void former?.close(1000, 'came back');
    this.#input.joined(viewer);
    if (join.admin_token !== undefined && !isAdmin) this.#refuseAdmin(viewer);
    const { device, warning } = this.#news;
    if (device !== undefined) viewer.tell(device);
    this.#play?.joined(viewer, join.seats);
    this.#options.metrics.viewers(1);
    this.#tellPresence();
    this.#broadcast.joined(viewer);
    if (warning !== undefined) viewer.tell(warning);
    this.#notices.catchUp(viewer);
    this.#choosers.update();
    viewer.admit();
    this.#acted(viewer, { event: 'user.join' });
  }

  #left(viewer: Viewer): void {
    this.#connected.delete(viewer);
    this.#authorization.forget(viewer);
    if (!this.#joined.delete(viewer)) return;
    this.#options.metrics.viewers(-1);
    this.#choosers.update();
    this.#pointers.left(viewer);
    this.#input.left(viewer);
    this.#play?.left(viewer);
    this.#tellPresence();
    this.#broadcast.left();
    this.#log.info({ user_id: viewer.userId }, 'viewer left');
    this.#acted(viewer, { event: 'user.leave' });
  }

  #isAdminToken(token: string | undefined): boolean {
    const claim = token === undefined ? null : this.#options.verify(this.#target.sessionId, token);
    return claim?.purpose === 'admin' && this.isInForce(claim);
  }

  #becomeAdmin(viewer: Viewer, token: string): void {
    if (this.#isAdminToken(token)) {
      this.users.setAccess(viewer, { ...viewer.access, admin: true });
      return this.#acted(viewer, { event: 'user.admin' });
    }
    this.#input.tellAccess(viewer);
    this.#refuseAdmin(viewer);
  }

  #refuseAdmin(viewer: Viewer): void {
    viewer.tell({ type: 'refused', code: 'admin_token_invalid', message: 'This is not the admin token.' });
    this.#acted(viewer, { event: 'user.admin' }, 'admin_token_invalid');
    viewer.faulted();
  }

  #accessChanged(former: ReadonlyMap<Viewer, Access>): void {
    this.#input.accessChanged(former.keys());
    for (const [viewer, before] of former) {
      // Seats are independent of who has control.
      if (mayControl(before) && !mayControl(viewer.access)) this.#play?.left(viewer);
      this.#notices.catchUp(viewer, before);
    }
    this.#choosers.update();
  }

  /** Reports a viewer's action to the audit log; `code`: why it failed. */
  #acted({ userId, access, about }: Viewer, act: AuditAction, code?: string): void {
    this.#options.events.acted?.({
      ...act,
      result: resultOfAct(code),
      actor: { type: 'user', user_id: userId, admin: access.admin, by: 'socket' },
      session: this.#target.sessionId,
      ip: about.ip,
      ...(code === undefined ? {} : { code }),
    });
  }

  #tellPresence(): void {
    this.#agent.present(this.#joined.size);
  }
}
