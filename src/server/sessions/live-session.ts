import type { AgentState } from '../../protocol/generated/schemas.js';
import { clock } from '../lib/clock.js';
import { SerialQueue } from '../../lib/serial-queue.js';
import type { AgentHttp } from '../agent-link/index.js';
import { CallError, type Ending, type Session } from '../model/index.js';
import type { Connection } from './connection.js';

/** The checkpoints of a running session's profile. */
export interface CheckpointState {
  /** Of the last one that was saved, by which the agent knows whether anything has changed. */
  version: string | undefined;
  /** Whether the last one was slow. */
  isSlow: boolean;
  /** Resolves when the one in progress is saved or discarded. */
  running: Promise<void> | null;
}

/** The deliveries of a session's game or app to its agent. */
export interface DeliveryState {
  isUnderWay: boolean;
  /** How often the agent got it. */
  count: number;
  /** The link on which it was last asked for, and the one on which it was before it was last sent; the first is 1. */
  wantedOn: number;
  sentOn: number;
}

/**
 * A session that this process serves, from the start of its container until it ends: its row, what is newer than that,
 * its connection, and what policies keep of it. It decides nothing.
 */
export class LiveSession {
  #session: Session;
  readonly #gone = new AbortController();
  #isStarting: boolean;
  #resolveStart: () => void = () => undefined;
  /** Resolves when the start that this process carries out has succeeded or failed; at once if it carries out none. */
  readonly startSettled: Promise<void>;
  /** The link to its agent and the room of its viewers; null: not opened yet. */
  connection: Connection | null = null;
  agentState: AgentState['state'] = 'starting';
  /** Whether its agent has reported input to this process. */
  heard = false;
  /** Whether this process has counted its viewers. */
  counted = false;
  /** Whether it ran before this process served it. */
  readonly isResumed: boolean;
  /** Since when this process serves it, UTC milliseconds. */
  readonly servedSince = clock.now();
  /** The writes of its row, which follow each other: at once, they could be stored in any order. */
  readonly writes = new SerialQueue();
  /** When a write was last begun, UTC milliseconds, null: never by this process; and the timer of the next one. */
  writtenAt: number | null = null;
  writeTimer: NodeJS.Timeout | undefined;
  /** Whether a change of its timeouts is being written: until then it is not known which are in force. */
  isChanging = false;
  /** Acts on its next deadline when that is near; and whether that is under way. */
  deadlineTimer: NodeJS.Timeout | undefined;
  isJudging = false;
  readonly checkpoints: CheckpointState = { version: undefined, isSlow: false, running: null };
  readonly deliveries: DeliveryState = { isUnderWay: false, count: 0, wantedOn: 0, sentOn: 0 };
  /** Ends it before its engine ends its container. */
  departureTimer: NodeJS.Timeout | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.isResumed = session.state.type === 'running';
    this.#isStarting = !this.isResumed;
    this.startSettled = this.isResumed ? Promise.resolve() : new Promise(resolve => (this.#resolveStart = resolve));
  }

  get id(): string {
    return this.#session.id;
  }

  /** Its row, with what is newer. */
  get session(): Session {
    return this.#session;
  }

  /** Aborts when the session ends, or when its start is aborted. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Whether this process is carrying out its start. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  /** HTTP requests to its agent. @throws CallError if it cannot be reached */
  get agent(): AgentHttp {
    if (this.connection === null) throw unreachable();
    return this.connection.http;
  }

  /** When its agent was last heard from by this process, UTC milliseconds; null: never. */
  get heardAt(): number | null {
    return this.connection?.heardAt ?? null;
  }

  /** Changes some of its row as it is known here. @returns all of it */
  update(changes: Partial<Session>): Session {
    return (this.#session = { ...this.#session, ...changes });
  }

  /** Its start has succeeded or failed. */
  settleStart(): void {
    this.#isStarting = false;
    this.#resolveStart();
  }

  /** Aborts what is under way for it, such as its start. */
  abort(reason: Error): void {
    this.#gone.abort(reason);
  }

  /** It has ended: nothing goes on for it. Resolves when its viewers are gone, after a second at most. Idempotent. */
  async close(ending: Ending): Promise<void> {
    clearTimeout(this.writeTimer);
    clearTimeout(this.deadlineTimer);
    clearTimeout(this.departureTimer);
    this.abort(new Error('The session was ended while it started.'));
    const { connection } = this;
    this.connection = null;
    await connection?.end(ending);
  }
}

export const unreachable = () => new CallError('agent_lost', 'The session cannot be reached; try again.');
