import { SessionTerminatedError, TimedOutError, type DisconnectType } from './errors.js';
import { checkOptions, checkVolume, type BerthOptions, type ConnectionState } from './options.js';
import { inputOfEvent, type BerthEvent } from './send-event.js';
import { Session, type SessionEvents } from './session.js';
import { connectionState, type SessionStatus } from './status.js';

const DEFAULT_TIMEOUT_MS = 2000;
const MIN_SIDE = 160;
const MAX_SIDE = 4096;

/** A session on a web page. */
export class BerthSession {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** This viewer's number on the session; new at every connection. */
  get userId(): string {
    return this.#session.userId ?? '';
  }

  get adminToken(): string | undefined {
    return this.#session.adminToken;
  }

  set adminToken(token: string | undefined) {
    if (token !== undefined && typeof token !== 'string') throw new TypeError('adminToken must be a string');
    this.#session.adminToken = token;
  }

  /** From 0 to 1. */
  get volume(): number {
    return this.#session.volume;
  }

  set volume(volume: number) {
    checkVolume(volume);
    this.#session.volume = volume;
  }

  get videoPaused(): boolean {
    return this.#session.videoPaused;
  }

  set videoPaused(paused: boolean) {
    if (typeof paused !== 'boolean') throw new TypeError('videoPaused must be a boolean');
    this.#session.videoPaused = paused;
  }

  /** Width of the display in pixels. */
  get width(): number {
    return this.#session.display.width;
  }

  /** Height of the display in pixels. */
  get height(): number {
    return this.#session.display.height;
  }

  /** The most pixels that the display may have. */
  get maxArea(): number {
    return this.#session.display.max_area;
  }

  /** Round trip to the service in milliseconds; null until it is known. */
  get rtt(): number | null {
    return this.#session.rtt;
  }

  /**
   * Resizes the display.
   * @throws TypeError where a side is not a whole number from 160 to 4096
   * @throws RangeError where the display would have more than `maxArea` pixels
   */
  resize(width: number, height: number): void {
    for (const side of [width, height]) {
      const possible = Number.isInteger(side) && side >= MIN_SIDE && side <= MAX_SIDE;
      if (!possible) throw new TypeError(`width and height must be whole numbers from ${MIN_SIDE} to ${MAX_SIDE}`);
    }
    if (width * height > this.maxArea) throw new RangeError(`width times height must not exceed ${this.maxArea}`);
    this.#session.tell({ type: 'resize', width, height });
  }

  /** Sends input of the page's own. */
  sendEvent(event: BerthEvent): void {
    this.#session.input(inputOfEvent(event));
  }

  /** Restarts the inactive timeout, as input does. */
  ping(): void {
    this.#session.tell({ type: 'touch' });
  }

  /** Opens the connection anew. */
  reconnect(): void {
    this.#session.connect();
  }

  /** Leaves the session and empties the container. */
  destroy(): void {
    this.#session.stop();
  }
}

/**
 * Shows a session in `container`, a `div` that gets an open shadow root.
 * @throws TypeError for arguments that cannot be used
 * @throws TimedOutError where the service does not answer in `options.timeout` milliseconds
 * @throws SessionTerminatedError where the session has ended or does not let this viewer in
 */
export default async function Berth(
  container: HTMLElement,
  embedURL: string,
  options: BerthOptions = {},
): Promise<BerthSession> {
  if (!(container instanceof HTMLElement)) throw new TypeError('container must be a div');
  checkOptions(options);
  let first: ((status: SessionStatus) => void) | null = null;
  const answered = new Promise<SessionStatus>(resolve => (first = resolve));
  const session = new Session(container, embedURL, options, eventsOf(options, status => first?.(status)));
  const timeout = options.timeout ?? DEFAULT_TIMEOUT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    session.connect();
    const status = await Promise.race([
      answered,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new TimedOutError(`the session did not answer in ${timeout} ms`)), timeout);
      }),
    ]);
    if (status.is === 'ended') throw new SessionTerminatedError(status.ending.type, status.ending.message);
    return new BerthSession(session);
  } catch (error) {
    session.stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Turns what happens into the integrator's calls. */
function eventsOf(options: BerthOptions, answered: (status: SessionStatus) => void): SessionEvents {
  let told: ConnectionState | null = null;
  return {
    status: status => {
      if (status.is !== 'connecting') answered(status);
      const state = connectionState(status);
      if (state !== told) options.onConnectionStateChange?.({ state });
      told = state;
      if (status.is === 'ended') options.onDisconnect?.({ type: status.ending.type satisfies DisconnectType });
    },
    warning: warning => options.onCloseWarning?.(warning),
  };
}
