import type { AgentState } from '../../protocol/generated/schemas.js';
import { clock } from '../lib/clock.js';
import { SerialQueue } from '../lib/serial-queue.js';
import type { Session } from '../model/index.js';

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

/** A session that this process serves, with what is newer than its row and what policies keep of it. It decides nothing. */
export class LiveSession {
  #session: Session;
  readonly #gone = new AbortController();
  agent: AgentState['state'] = 'starting';
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
  readonly checkpoints: CheckpointState = { version: undefined, isSlow: false, running: null };
  readonly deliveries: DeliveryState = { isUnderWay: false, count: 0, wantedOn: 0, sentOn: 0 };
  /** Ends it before its engine ends its container. */
  departureTimer: NodeJS.Timeout | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.isResumed = session.state.name === 'running';
  }

  get id(): string {
    return this.#session.id;
  }

  /** Its row, with what is newer. */
  get session(): Session {
    return this.#session;
  }

  /** Aborts when the session has ended, or is no longer served here. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Changes some of its row as it is known here. @returns all of it */
  update(changes: Partial<Session>): Session {
    return (this.#session = { ...this.#session, ...changes });
  }

  /** It has ended, or is no longer served here. */
  close(): void {
    clearTimeout(this.writeTimer);
    clearTimeout(this.departureTimer);
    this.#gone.abort();
  }
}
