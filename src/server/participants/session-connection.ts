import { type KindName } from '../model/index.js';
import type { AgentCallName, CallArguments } from '../../protocol/calls.js';
import type { FromAgent, Launched, SessionState } from '../../protocol/generated/schemas.js';
import { CloseCode } from '../../protocol/message-type.js';
import { AgentCalls, AgentHttp, Link } from '../agent-link/index.js';
import { SessionRoom, type SessionRoomOptions } from './session-room.js';
import { EncoderReport } from '../media/index.js';
import { sessionState } from './session-state.js';
import type { HubEvents, LastWords, LinkTarget } from './types.js';

/** One session: the link to its agent, and its viewers. */
export class SessionConnection {
  readonly room: SessionRoom;
  readonly #target: LinkTarget;
  readonly #events: HubEvents;
  readonly #link: Link;
  readonly #calls: AgentCalls;
  readonly #encoder: EncoderReport;
  /** HTTP requests to the agent. */
  readonly http: AgentHttp;
  /** How many links have been opened so far. */
  #links = 0;

  constructor(target: LinkTarget, options: SessionRoomOptions) {
    this.#target = target;
    this.http = new AgentHttp(target);
    this.#events = options.events;
    const log = options.log.child({ session: target.sessionId });
    this.#encoder = new EncoderReport(log, options.metrics);
    this.#link = new Link(
      target,
      target.launch,
      {
        opened: () => this.#linkOpened(),
        lost: () => this.#linkLost(),
        media: message => this.room.show(message),
        control: message => this.#control(message),
      },
      log,
    );
    this.#calls = new AgentCalls(call => this.#link.tell(call));
    this.room = new SessionRoom(
      target,
      { ...options, log },
      {
        send: message => this.#link.send(message),
        call: (...asked) => this.call(...asked),
        keepAlive: () => this.keepAlive(),
        present: viewers => {
          this.#link.tell({ type: 'presence', viewers });
          this.#events.presence(target.sessionId, viewers);
        },
      },
    );
  }

  get kind(): KindName {
    return this.#target.launch.kind;
  }

  /** When the agent was last heard from; see Link.heardAt. */
  get heardAt(): number | null {
    return this.#link.heardAt;
  }

  /** Opens the link; see Link.open. */
  open(): Promise<void> {
    return this.#link.open();
  }

  /** Resets the inactivity timeout at the agent. */
  keepAlive(): void {
    this.#link.keepAlive();
  }

  /** Makes a call to the agent. @throws CallError */
  call<M extends AgentCallName>(method: M, args: CallArguments<M>): Promise<unknown> {
    return this.#calls.call(method, args);
  }

  /** Tells viewers what the session's start is waiting for. */
  waitsFor(message: string): void {
    if (this.room.session.state !== 'starting') return;
    this.room.session = { ...this.room.session, message };
  }

  /** Tells viewers that the session has ended and closes everything; resolves when they are gone. */
  end({ reason, message, code }: LastWords): Promise<void> {
    this.#unlink();
    return this.room.close(CloseCode.ended, reason, {
      type: 'end',
      reason,
      ...(message === undefined ? {} : { message }),
      ...(code === undefined ? {} : { code }),
    });
  }

  /** Closes everything with a code that makes viewers reconnect; resolves when they are gone. */
  restart(): Promise<void> {
    this.#unlink();
    return this.room.close(1012, 'restart');
  }

  #unlink(): void {
    this.#link.close();
    this.#encoder.forget();
    this.#calls.abandon();
  }

  #linkOpened(): void {
    this.#links++;
    this.room.linked();
  }

  #linkLost(): void {
    this.#calls.abandon();
    this.room.unlinked();
    this.room.session = { type: 'session', state: 'restarting', message: 'The connection to the session was lost.' };
  }

  /**
   * Tells viewers the state of the session. Without a message, `restarting` adds nothing to that, or to a lost
   * connection.
   */
  #show(session: SessionState): void {
    const isKnown = session.state === 'restarting' && this.room.session.state === 'restarting';
    if (!isKnown || session.message !== undefined) this.room.session = session;
  }

  #sign(token: string): void {
    const signature = this.#events.sign?.(this.#target.sessionId, token);
    if (signature === undefined) return;
    this.#link.tell({ type: 'signature', token, ...(signature === null ? {} : { signature }) });
  }

  #control(message: Exclude<FromAgent, Launched>): void {
    switch (message.type) {
      case 'activity':
        return this.#events.activity(this.#target.sessionId, message);
      case 'state':
        this.#show(sessionState(message));
        return this.#events.state(this.#target.sessionId, message);
      case 'result':
        return this.#calls.answered(message);
      case 'wants':
        return this.#events.wants(this.#target.sessionId, this.#links);
      case 'sign':
        return this.#sign(message.token);
      case 'event':
      case 'download':
      case 'file_chooser':
      case 'notice':
        return this.room.tell(message);
      case 'game':
        return this.room.gameRuns(message);
      case 'device':
        return this.room.deviceIs(message);
      case 'encoder':
        return this.#encoder.take(message);
    }
  }
}
