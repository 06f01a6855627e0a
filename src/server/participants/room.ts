import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type {
  CloseWarning,
  DeviceState,
  Discs,
  GameState,
  Join,
  Seats,
  SessionState,
  SessionUser,
  ToViewer,
} from '../../protocol/generated/schemas.js';
import {
  type Access,
  type Credential,
  equal,
  initialAccess,
  type Kind,
  kindOf,
  mayControl,
  maySee,
  type SessionTokens,
  type TokenClaim,
} from '../model/index.js';
import { type AuditAction, type AuditEvent, resultOfAct, viewerAct } from '../audit/index.js';
import type { MediaMetrics } from '../media/index.js';
import type { AgentMedia } from '../agent-link/index.js';
import type { WebhookSender } from '../webhooks/index.js';
import { Admission } from './join/admission.js';
import { Broadcast } from './broadcast.js';
import { carryOut } from './calls.js';
import { ChooserDelegation, type Notice, Notices } from './access/notices.js';
import { Privacy } from './access/privacy.js';
import { SessionInput } from './input/input.js';
import { inputMessages } from './input/input-messages.js';
import { Pointers } from './input/pointers.js';
import { People } from './people.js';
import { Players } from './players/players.js';
import type { AgentSide, RoomSession } from './room-session.js';
import { Allowance, sharedBudget } from './viewer/allowance.js';
import { handleMessage, type MessageHandlers } from './viewer/messages.js';
import { News } from './viewer/news.js';
import { tellAll, Viewer, type ViewerOrigin } from './viewer/viewer.js';
import { Users } from './access/users.js';
import { ViewerCalls } from './viewer/viewer-calls.js';

/** Counters of viewers and media. Called on the hot path: implementations must be cheap and must not throw. */
export interface RoomMetrics extends MediaMetrics {
  /** Viewers that joined (positive) or left (negative). */
  viewers(change: number): void;
}

/** Version of the messages to viewers from which on keys may come with their place. */
const PHYSICAL_KEYS_SINCE = 3;

export interface RoomOptions {
  log: Logger;
  metrics: RoomMetrics;
  /**
   * The claims of a token that was made for the session, checked in constant time; null if it was not. Accesses no
   * store.
   */
  verify: (sessionId: string, token: string) => TokenClaim | null;
  /** Calls participant webhooks. */
  webhooks: WebhookSender;
  /** Prefix of the headers that tell a participant webhook where a user comes from. */
  headerPrefix: string;
  /** Somebody acted, or tried to act, over a socket; for the audit log. */
  acted?: (event: AuditEvent) => void;
}

/** The viewers of one session: who they are, what they may do, and what they are told. */
export class Room {
  readonly users: Users;
  readonly #of: RoomSession;
  readonly #kind: Kind;
  readonly #options: RoomOptions;
  readonly #agent: AgentSide;
  /** All connected viewers, and the token each came with. */
  readonly #connected = new Map<Viewer, Credential>();
  readonly #joined = new Set<Viewer>();
  readonly #privacy: Privacy;
  readonly #admission: Admission;
  readonly #broadcast: Broadcast;
  readonly #input: SessionInput;
  readonly #pointers = new Pointers(this.#joined);
  readonly #people = new People(this.#joined, viewer => this.#input.controls(viewer));
  /** Null if the session is not a console. */
  readonly #players: Players | null;
  readonly #handlers: MessageHandlers;
  readonly #notices = new Notices(this.#joined, () => this.#privacy.downloads);
  readonly #choosers: ChooserDelegation;
  readonly #news = new News(this.#joined);
  /** What the viewers may cost together. */
  readonly #budget = sharedBudget();
  #lastNumber = 0;

  constructor(of: RoomSession, options: RoomOptions, agent: AgentSide) {
    const { log, metrics } = options;
    const { launch } = of.session;
    const acted = (viewer: Viewer, act: AuditAction, code?: string) => this.#acted(viewer, act, code);
    this.#of = of;
    this.#kind = kindOf(launch.kind);
    this.#options = options;
    this.#agent = agent;
    this.users = new Users(this.#joined, of, former => this.#accessChanged(former));
    this.#privacy = new Privacy(this.#joined, this.users);
    this.#admission = new Admission({
      ...options,
      session: () => of.session,
      users: this.users,
      admitted: (viewer, join) => this.#join(viewer, join),
      named: () => this.#people.changed(),
      tellAccess: viewer => this.#input.tellAccess(viewer),
      acted,
    });
    this.#broadcast = new Broadcast(this.#joined, this.#kind, launch.display, message => agent.send(message), metrics);
    const send = (user: number, message: Uint8Array) => agent.input(user, message);
    this.#input = new SessionInput(this.#joined, {
      send,
      lostControl: viewer => this.#players?.letGo(viewer),
      controllersChanged: () => {
        this.#people.changed();
        of.attendance.controlChanged(() => this.#input.controllers.map(({ userId }) => userId));
      },
    });
    const changed = (message: GameState | Discs | Seats) => this.#news.tell(message);
    this.#players = this.#kind.seats > 0 ? new Players(this.#joined, this.#input, { send, changed }) : null;
    const calls = new ViewerCalls(
      (viewer, { method, args }) => this.perform(viewer.access, method, args, viewer),
      log,
      (viewer, call, code) => acted(viewer, viewerAct(call, code), code),
    );
    const [input, pointers, players] = [this.#input, this.#pointers, this.#players];
    this.#handlers = {
      ...this.#admission.handlers,
      ...this.#broadcast.handlers,
      ...inputMessages({ kind: this.#kind, launch, input, pointers, players, agent }),
      call: (viewer, call) => void calls.answer(viewer, call),
      // The viewer has handled them.
      ping: () => undefined,
      ack: () => undefined,
    };
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
  admit(socket: WebSocket, credential: Credential, about: ViewerOrigin): void {
    const access = initialAccess(this.users.defaults, credential);
    const allowance = new Allowance([about.budget, this.#budget]);
    const viewer = new Viewer(socket, ++this.#lastNumber, about, access, allowance, {
      message: (viewer, message) => handleMessage(this.#handlers, viewer, message),
      viewers: () => this.#joined.size,
      left: viewer => this.#left(viewer),
    });
    this.#connected.set(viewer, credential);
    const { ip, user_agent } = about;
    this.#options.log.info({ user_id: viewer.userId, ip, user_agent }, 'viewer connected');
  }

  /** Whether a presented token is in force. */
  isInForce(claim: TokenClaim): boolean {
    return this.#admission.isInForce(claim);
  }

  /** Disconnects viewers whose token is no longer in force since `former` were renewed; they must not return with it. */
  disconnectFormer(former: SessionTokens): void {
    const { tokens } = this.#of.session;
    const isRenewed = (purpose: Credential) => tokens[purpose].generation > former[purpose].generation;
    const [embed, admin] = [isRenewed('embed'), isRenewed('admin')];
    for (const [viewer, credential] of this.#connected) {
      if ((embed && credential === 'embed') || (admin && viewer.access.admin)) viewer.reject();
    }
  }

  /** The connected viewer with this ticket. */
  byTicket(ticket: string): Viewer | undefined {
    return [...this.#joined].find(viewer => equal(viewer.ticket, ticket));
  }

  /** The users of the session, in the order in which they joined. */
  listUsers(): SessionUser[] {
    return this.users.list(viewer => this.#people.nameOf(viewer));
  }

  /** Records activity of a viewer; whether it has control now. */
  takesPart(viewer: Viewer): boolean {
    return this.#input.takesPart(viewer);
  }

  /** Carries out a call for a viewer, or an integrator with this access. @throws CallError */
  async perform(granted: Access, method: string, args: unknown, viewer?: Viewer): Promise<unknown> {
    const access = viewer === undefined ? { ...granted, hidden: this.#privacy.isOn } : granted;
    const { kind } = this.#of.session.launch;
    const agent: AgentSide['call'] = (...asked) => this.#agent.call(...asked);
    const takesPart = (each: Viewer) => this.takesPart(each);
    const context = {
      kind,
      users: this.users,
      privacy: this.#privacy,
      players: this.#players,
      viewer,
      takesPart,
      agent,
    };
    return carryOut(method, args, access, context);
  }

  /** Shows current and later viewers when the session will end; without `timeout`, that it will not. */
  warn(warning: CloseWarning): void {
    this.#news.warn(warning);
  }

  /** Distributes the session's video and audio. */
  distribute(message: AgentMedia): void {
    this.#broadcast.distribute(message);
  }

  /** An event in the session. */
  tell(notice: Notice): void {
    this.#notices.tell(notice);
  }

  /** Whether a download came in private, and is nobody's any more. */
  withholds(download: string): boolean {
    return this.#privacy.downloads.withholds(download);
  }

  /** The state of the session's game. */
  gameRuns(state: GameState): void {
    this.#players?.runs(state);
  }

  /** The discs of the session's game. */
  discsAre(discs: Discs): void {
    this.#players?.discsAre(discs);
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
    this.#players?.reset();
  }

  /** Closes all sockets after a final message; resolves when the viewers are gone. */
  async close(code: number, reason: string, end?: ToViewer): Promise<void> {
    if (end !== undefined) tellAll(this.#connected.keys(), end);
    const closed = [...this.#connected.keys()].map(viewer => viewer.close(code, reason));
    this.#broadcast.stop();
    this.#input.stop();
    this.#pointers.stop();
    this.#people.stop();
    this.#news.stop();
    this.#notices.stop();
    await Promise.all(closed);
  }

  #join(viewer: Viewer, join: Join): void {
    if (!this.#connected.has(viewer)) return;
    viewer.answersChoosers = join.files ?? false;
    viewer.wanted = { video: join.video ?? true, audio: join.audio ?? true, chroma444: join.chroma444 ?? false };
    viewer.tell(this.#welcome(viewer));
    viewer.tell(this.session);
    const isAdmin = this.#admission.isAdminToken(join.admin_token);
    if (isAdmin) viewer.access = { ...viewer.access, admin: true };
    this.#joined.add(viewer);
    this.#privacy.joins(viewer, join.ticket);
    // A connection that was lost silently still appears open for a while; its successor need not wait for it to take
    // over its identity.
    const former = join.ticket === undefined ? undefined : this.byTicket(join.ticket);
    this.#people.joined(viewer, former);
    if (former !== viewer) void former?.close(1000, 'came back');
    this.#input.joined(viewer);
    if (join.admin_token !== undefined && !isAdmin) this.#admission.refuseAdmin(viewer);
    if (this.#privacy.isOn) viewer.tell(this.#privacy.message);
    const { device, warning } = this.#news;
    if (device !== undefined) viewer.tell(device);
    this.#players?.joined(viewer, join.seats);
    this.#options.metrics.viewers(1);
    this.#tellPresence();
    this.#broadcast.joined(viewer);
    if (warning !== undefined) viewer.tell(warning);
    this.#notices.catchUp(viewer);
    this.#choosers.update();
    this.#of.attendance.joined(this.#people.arrival(viewer));
    viewer.admit();
    this.#acted(viewer, { event: 'user.join' });
  }

  #left(viewer: Viewer): void {
    this.#connected.delete(viewer);
    this.#admission.left(viewer);
    if (!this.#joined.delete(viewer)) return;
    this.#options.metrics.viewers(-1);
    this.#choosers.update();
    this.#people.left(viewer);
    this.#pointers.left(viewer);
    this.#input.left(viewer);
    this.#players?.left(viewer);
    this.#tellPresence();
    this.#broadcast.left();
    this.#of.attendance.left(viewer.userId);
    this.#options.log.info({ user_id: viewer.userId }, 'viewer left');
    this.#acted(viewer, { event: 'user.leave' });
  }

  #welcome({ userId, ticket, about }: Viewer): ToViewer {
    const { launch } = this.#of.session;
    return {
      type: 'welcome',
      user_id: userId,
      kind: launch.kind,
      hide_cursor: launch.display.hide_cursor,
      touch_gestures: this.#kind.gestures(launch),
      ...(about.version >= PHYSICAL_KEYS_SINCE ? { physical_keys: true } : {}),
      page_touch: this.#kind.pageTouch(launch) && this.#agent.knowsPageFingers(),
      ...(this.#kind.clipboardContent ? { clipboard_content: true } : {}),
      ticket,
    };
  }

  #accessChanged(former: ReadonlyMap<Viewer, Access>): void {
    this.#input.accessChanged(former.keys());
    this.#broadcast.accessChanged(former);
    for (const [viewer, before] of former) {
      // Seats are independent of who has control.
      if (mayControl(before) && !mayControl(viewer.access)) this.#players?.left(viewer);
      if (!maySee(viewer.access)) this.#pointers.left(viewer);
      this.#notices.catchUp(viewer, before);
    }
    this.#choosers.update();
    this.#people.changed();
  }

  /** Reports a viewer's action to the audit log; `code`: why it failed. */
  #acted({ userId, access, about }: Viewer, act: AuditAction, code?: string): void {
    this.#options.acted?.({
      ...act,
      result: resultOfAct(code),
      actor: { type: 'user', user_id: userId, admin: access.admin, by: 'socket' },
      session: this.#of.session.id,
      ip: about.ip,
      ...(code === undefined ? {} : { code }),
    });
  }

  #tellPresence(): void {
    this.#agent.present(this.#joined.size);
  }
}
