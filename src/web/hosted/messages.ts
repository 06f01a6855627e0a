/**
 * What the module of a session and the hosted service's web client tell each other. Neither is validated by schemas:
 * both are code of the same page.
 */

/** A message to the client. Results have the number of their call, and events that of the call that registered them. */
export type ToClient =
  | { type: 'connection'; data: { width: number; height: number; user_id: string; max_area: number } }
  | { type: 'disconnect'; data: { type: HostedDisconnect } }
  | { type: 'close_warning'; data: HostedWarning }
  | { type: 'connection_state'; data: { state: 'connecting' | 'playing' | 'reconnecting' | 'failed' } }
  | { type: 'peer_mouse'; data: { x: number; y: number; clientX: number; clientY: number; userId: string } }
  | { type: 'resize'; data: { width: number; height: number } }
  /** Milliseconds. */
  | { type: 'rtt'; data: number }
  | { i: number; r?: unknown; e?: string };

/** Why a session is over, by the names that the client's users know. */
export type HostedDisconnect = 'request' | 'inactive' | 'absolute' | 'kicked' | 'unauthorized' | 'unknown';

/** The session will end soon; without a deadline that was cancelled. */
export interface HostedWarning {
  type: 'absolute' | 'inactive' | 'offline';
  deadline: { delay: number; closeDate: string } | undefined;
}

/** A call by the client. */
export interface ClientCall {
  /** Its method, as `tabs.query`. */
  m: string;
  a: unknown[];
  /** A number for the answer, the lowest that is free: it comes again after the answer, or when the client gave up. */
  i: number;
  /** The admin token, where the client has one. */
  t?: string | undefined;
}

/** A setting, or input as the page gave it to `sendEvent`. */
export type ClientMessage = { type: string; data?: unknown };

/** What the client passes with its own options. */
export interface HostedOptions {
  adminToken?: string;
  delegateKeyboard?: boolean;
  disableInput?: boolean;
  persistScreen?: boolean;
  playoutDelay?: boolean;
  videoPaused?: boolean;
  /** From 0 to 1. */
  volume?: number;
  webhookUserdata?: unknown;
  frameCb?: (frame: ImageBitmap) => void;
  videoTrackCb?: (track: MediaStreamTrack) => void;
  audioTrackCb?: (track: MediaStreamTrack) => void;
}

export type TellClient = (message: ToClient) => void;
