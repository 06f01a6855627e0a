/** Counters of sessions' media. Called on the hot path: implementations must be cheap and must not throw. */
export interface MediaMetrics {
  /** Video frames received from agents. */
  framesReceived(count: number): void;
  /** Those of the small layer among them. */
  smallFramesReceived(count: number): void;
  /** Video frames written to viewers' sockets. */
  framesSent(count: number): void;
  /** Video frames dropped because a viewer was behind. */
  framesDropped(count: number): void;
  /** Bytes of media written to viewers' sockets. */
  bytesSent(count: number): void;
  /** Key frames requested from agents. */
  keyframeRequests(count: number): void;
  /** Sessions with a graphics card that are encoded by this encoder from now on (positive), or no longer (negative). */
  encoders(encoder: string, change: number): void;
}
