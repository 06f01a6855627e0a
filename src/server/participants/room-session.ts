import type { AgentCallName, CallArguments } from '../../protocol/calls.js';
import type { AccessDefaults, Session } from '../model/index.js';

/** A user who has joined. */
export interface Arrival {
  id: string;
  /** Whether it came with the admin token. */
  admin: boolean;
  /** What it is called. */
  name: string;
  /** #rrggbb. */
  color?: string;
}

/** What is reported of a session's users. */
export interface Attendance {
  joined(user: Arrival): void;
  /** A user who had joined is gone. */
  left(userId: string): void;
  /** Others have control now; `controllers`: the IDs of all who have it when it is called. */
  controlChanged(controllers: () => readonly string[]): void;
}

/** The session that a room belongs to. */
export interface RoomSession {
  /** The session as it is now. */
  readonly session: Session;
  /** Changes the access of later viewers; resolves when that is stored, and rejects if it is not. */
  changeDefaults(defaults: AccessDefaults): Promise<void>;
  readonly attendance: Attendance;
}

/** Requests of viewers to the session's agent. What is sent while there is no link is lost. */
export interface AgentSide {
  send(message: Buffer): boolean;
  /** Sends the input of a viewer; false if it was dropped. */
  input(user: number, message: Uint8Array): boolean;
  /** @throws CallError */
  call<M extends AgentCallName>(method: M, args: CallArguments<M>): Promise<unknown>;
  /** Whether it knows that fingers beside a page are the mouse. */
  knowsPageFingers(): boolean;
  /** Resets the inactivity timeout. */
  keepAlive(): void;
  /** Reports how many viewers have joined. */
  present(viewers: number): void;
}
