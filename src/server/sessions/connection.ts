import type { AgentCallName, CallArguments } from '../../protocol/calls.js';
import type { Activity, AgentState, End, FromAgent, Launched, SessionState } from '../../protocol/generated/schemas.js';
import { CloseCode } from '../../protocol/message-type.js';
import { type AgentAddress, AgentCalls, AgentHttp, Link } from '../agent-link/index.js';
import { EncoderReport } from '../media/index.js';
import type { Size } from '../model/index.js';
import { Room, type RoomOptions, type RoomSession } from '../participants/index.js';

/** What a session's agent and viewers report. Handlers must not throw. */
export interface ConnectionHandlers {
  state(state: AgentState): void;
  activity(activity: Activity): void;
  /** The number of viewers; reported on each change, and when a link to the agent was opened. */
  presence(viewers: number): void;
  /** The display has this size. */
  resized(size: Size): void;
  /**
   * The agent lacks the game or app that the session was started with; repeated until it has it. `link`: number of the
   * link that it says so on, the session's first is 1.
   */
  wants(link: number): void;
  /**
   * A pool device wants a token signed, in base64; gives the signature, null if there is no key for it, undefined if
   * none is given.
   */
  sign(token: string): string | null | undefined;
}

/** What the start of a session waits for. */
export type StartProgress = Required<Pick<SessionState, 'step' | 'message'>> & Pick<SessionState, 'loaded'>;

/** The link to a session's agent, and the room of its viewers. */
export class Connection {
  readonly room: Room;
  /** HTTP requests to the agent. */
  readonly http: AgentHttp;
  readonly #handlers: ConnectionHandlers;
  readonly #link: Link;
  readonly #calls: AgentCalls;
  readonly #encoder: EncoderReport;
  /** How many links have been opened so far. */
  #links = 0;

  constructor(of: RoomSession, address: AgentAddress, options: RoomOptions, handlers: ConnectionHandlers) {
    this.http = new AgentHttp(address);
    this.#handlers = handlers;
    const log = options.log.child({ session: of.session.id });
    this.#encoder = new EncoderReport(log, options.metrics);
    this.#link = new Link(
      address,
      of.session.launch,
      {
        opened: () => this.#linkOpened(),
        lost: () => this.#linkLost(),
        media: message => {
          this.room.distribute(message);
          if (message.type === 'display') handlers.resized(message.display);
        },
        control: message => this.#control(message),
      },
      log,
    );
    this.#calls = new AgentCalls(call => this.#link.tell(call));
    this.room = new Room(
      of,
      { ...options, log },
      {
        send: message => this.#link.send(message),
        input: (user, message) => this.#link.input(user, message),
        call: (...asked) => this.call(...asked),
        knowsPageFingers: () => this.#link.knowsPageFingers,
        keepAlive: () => this.keepAlive(),
        present: viewers => {
          this.#link.tell({ type: 'presence', viewers });
          handlers.presence(viewers);
        },
      },
    );
  }

  /** When the agent was last heard from; see Link.heardAt. */
  get heardAt(): number | null {
    return this.#link.heardAt;
  }

  /** Opens the link; see Link.open. It is reopened until this connection is closed. */
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
  waitsFor(progress: StartProgress): void {
    if (this.room.session.state !== 'starting') return;
    this.room.session = { type: 'session', state: 'starting', ...progress };
  }

  /** Tells viewers that the session has ended and closes everything; resolves when they are gone. */
  end({ reason, message, code }: Pick<End, 'reason' | 'message' | 'code'>): Promise<void> {
    this.#unlink();
    return this.room.close(CloseCode.ended, reason, {
      type: 'end',
      reason,
      ...(message === undefined ? {} : { message }),
      ...(code === undefined ? {} : { code }),
    });
  }

  /** Closes everything with a code that makes viewers reconnect (1012); resolves when they are gone. */
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
    this.room.session = {
      type: 'session',
      state: 'restarting',
      step: 'link',
      message: 'The connection to the session was lost.',
    };
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
    const signature = this.#handlers.sign(token);
    if (signature === undefined) return;
    this.#link.tell({ type: 'signature', token, ...(signature === null ? {} : { signature }) });
  }

  #control(message: Exclude<FromAgent, Launched>): void {
    switch (message.type) {
      case 'activity':
        return this.#handlers.activity(message);
      case 'state':
        this.#show(sessionState(message));
        return this.#handlers.state(message);
      case 'result':
        return this.#calls.answered(message);
      case 'wants':
        return this.#handlers.wants(this.#links);
      case 'sign':
        return this.#sign(message.token);
      case 'event':
      case 'download':
      case 'file_chooser':
      case 'windows':
      case 'dialogs':
      case 'notice':
        return this.room.tell(message);
      case 'game':
        return this.room.gameRuns(message);
      case 'discs':
        return this.room.discsAre(message);
      case 'device':
        return this.room.deviceIs(message);
      case 'encoder':
        return this.#encoder.report(message);
    }
  }
}

const SESSION_STATES = {
  idle: 'starting',
  starting: 'starting',
  running: 'running',
  restarting: 'restarting',
  failed: 'restarting',
} as const;

/** The state of a session by that of its agent, which is idle until it takes the launch. A failed one is about to be ended. */
export const stateOfSession = (agent: AgentState['state']): SessionState['state'] => SESSION_STATES[agent];

/** What viewers are told of an agent's state. */
function sessionState({ state, message, step }: AgentState): SessionState {
  return {
    type: 'session',
    state: stateOfSession(state),
    ...(message === undefined ? {} : { message }),
    ...(step === undefined ? {} : { step }),
  };
}
