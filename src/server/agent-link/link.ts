import type { Logger } from 'pino';
import { WebSocket, type RawData } from 'ws';
import { encodeTextOf } from '../../protocol/clipboard.js';
import type { FromAgent, Launch, Launched, ToAgent } from '../../protocol/generated/schemas.js';
import { withoutPlace } from '../../protocol/input.js';
import { LINK_PATH, MessageType } from '../../protocol/message-type.js';
import { throttledLog } from '../lib/throttled-log.js';
import { TokenBucket } from '../lib/token-bucket.js';
import {
  AgentRefusal,
  connectAgent,
  KNOWS_NOTHING,
  refuseInformation,
  type AgentAddress,
  type AgentConnection,
  type AgentKnowledge,
} from './agent-connection.js';
import { chargeOf, decodeAgentControl, decodeAgentMedia, type AgentMedia, type Charge } from './from-agent.js';
import { Heartbeat } from '../lib/heartbeat.js';
import { openAfter, reopenAfter } from './retry.js';
import { enveloped } from './to-agent.js';
import { clock } from '../lib/clock.js';

/** Events of a link. */
export interface LinkHandlers {
  /** The launch has been sent on a new connection, whose messages follow, and after them `lost`. */
  opened(): void;
  lost(): void;
  media(message: AgentMedia): void;
  control(message: Exclude<FromAgent, Launched>): void;
}

const MAX_MESSAGE_BYTES = 4 << 20;
/** Agents do not fragment messages; parts of them are not charged. */
const MAX_FRAGMENTS = 4;
const HANDSHAKE_TIMEOUT_MS = 2000;
const PING_INTERVAL_MS = 10_000;

/** Above the first limit, input waiting for the agent is dropped; above the second, the link counts as stalled. */
const SEND_LIMIT_BYTES = 1 << 20;
const STALL_LIMIT_BYTES = 3 << 20;

/** A link that was open for this long, ms, is reopened at once when it is lost; others at ever longer intervals. */
const STEADY_MS = 10_000;

/** Above this, pings are not answered. */
const PONG_LIMIT_BYTES = 64 << 10;

/**
 * Message rate limits for a container: several times what the fastest stream needs. Signals are all messages except
 * audio, video and patches.
 */
const MESSAGES = { perSecond: 3000, burst: 6000 };
const BYTES = { perSecond: 12 << 20, burst: 32 << 20 };
const SIGNALS = { perSecond: 100, burst: 400 };
/** Byte limit for text messages, which cost the service far more than video. */
const TEXTS = { perSecond: 1 << 20, burst: 8 << 20 };

type State =
  | { type: 'new' }
  | { type: 'connecting'; cancel(): void }
  | { type: 'open'; socket: WebSocket; since: number }
  | { type: 'waiting'; timer: NodeJS.Timeout }
  | { type: 'closed' };

/** The connection to one session's agent, which reconnects automatically until closed. */
export class Link {
  readonly #address: AgentAddress;
  readonly #launch: Launch;
  readonly #handlers: LinkHandlers;
  readonly #log: Logger;
  readonly #logLoss: ReturnType<typeof throttledLog>;
  readonly #logRefusal: ReturnType<typeof throttledLog>;
  readonly #logIgnored: ReturnType<typeof throttledLog>;
  readonly #messages = new TokenBucket(MESSAGES.perSecond, MESSAGES.burst);
  readonly #bytes = new TokenBucket(BYTES.perSecond, BYTES.burst);
  readonly #signals = new TokenBucket(SIGNALS.perSecond, SIGNALS.burst);
  readonly #texts = new TokenBucket(TEXTS.perSecond, TEXTS.burst);
  #state: State = { type: 'new' };
  #heardAt: number | null = null;
  /** Undefined until an agent has said it. */
  #known: AgentKnowledge | undefined;
  #opening: { since: number; resolve(): void; reject(error: Error): void } | undefined;

  constructor(address: AgentAddress, launch: Launch, handlers: LinkHandlers, log: Logger) {
    this.#address = address;
    this.#launch = launch;
    this.#handlers = handlers;
    this.#log = log;
    this.#logLoss = throttledLog(log);
    this.#logRefusal = throttledLog(log);
    this.#logIgnored = throttledLog(log);
  }

  /**
   * Connects, sends the launch, as on each later connection, and resolves when the agent has accepted it (protocol
   * version 1: when it has answered). Rejects on `close`, and with an AgentRefusal if retrying cannot succeed.
   */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#opening = { since: performance.now(), resolve, reject };
      this.#connect(0);
    });
  }

  /** When the agent was last heard from, UTC milliseconds; null: not yet. */
  get heardAt(): number | null {
    return this.#heardAt;
  }

  /** Sends a message in its envelope; false if it was dropped. */
  send(message: Buffer): boolean {
    const socket = this.#usable;
    if (socket === undefined || socket.bufferedAmount > SEND_LIMIT_BYTES) return false;
    socket.send(message);
    return true;
  }

  /** Sends the input of a viewer; false if it was dropped. */
  input(user: number, message: Uint8Array): boolean {
    return this.send(enveloped(user, this.#translated(message)));
  }

  /** The message as this agent understands it. */
  #translated(message: Uint8Array): Uint8Array {
    switch (message[0]) {
      case MessageType.physicalKey:
        return this.#knows.physicalKeys ? message : (withoutPlace(message) ?? message);
      case MessageType.content:
        return this.#knows.clipboardContent ? message : encodeTextOf(message);
      default:
        return message;
    }
  }

  /** Sends a control message; ignored while disconnected, since `opened` resends the whole state. */
  tell(message: ToAgent): void {
    this.#usable?.send(JSON.stringify(message));
  }

  /** Whether the agent knows fingers beside a page. One that was not heard yet is of this version. */
  get knowsPageFingers(): boolean {
    return this.#known?.pageFingers ?? true;
  }

  /** Tells the agent that the session is in use; ignored while disconnected. */
  keepAlive(): void {
    this.tell({ type: this.#knows.keepAlive ? 'keepAlive' : 'touch' });
  }

  /** Closes the link permanently. */
  close(): void {
    const state = this.#state;
    this.#state = { type: 'closed' };
    if (state.type === 'waiting') clearTimeout(state.timer);
    if (state.type === 'connecting') state.cancel();
    if (state.type === 'open') {
      state.socket.close(1000);
      setTimeout(() => state.socket.terminate(), 1000).unref();
    }
    this.#opening?.reject(new Error('The link was closed before the agent answered.'));
    this.#opening = undefined;
  }

  get #knows(): AgentKnowledge {
    return this.#known ?? KNOWS_NOTHING;
  }

  /** The connection, if it is open and its remote end keeps reading. */
  get #usable(): WebSocket | undefined {
    if (this.#state.type !== 'open') return undefined;
    const { socket } = this.#state;
    if (socket.bufferedAmount <= STALL_LIMIT_BYTES) return socket;
    this.#logLoss('warn', {}, 'link stalled');
    socket.terminate();
    return undefined;
  }

  #connect(attempt: number): void {
    const controller = new AbortController();
    this.#state = { type: 'connecting', cancel: () => controller.abort() };
    connectAgent(this.#address, HANDSHAKE_TIMEOUT_MS, controller.signal).then(
      connection => this.#upgrade(connection, attempt),
      (error: unknown) => this.#ended(attempt, error),
    );
  }

  #upgrade({ socket: connection, authorization, knows }: AgentConnection, attempt: number): void {
    if (this.#state.type !== 'connecting') return void connection.destroy();
    this.#known = knows;
    connection.setTimeout(HANDSHAKE_TIMEOUT_MS);
    const socket = new WebSocket(`ws://agent${LINK_PATH}`, {
      createConnection: () => connection,
      headers: { authorization },
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: MAX_MESSAGE_BYTES,
      maxFragments: MAX_FRAGMENTS,
      finishRequest: outgoing => refuseInformation(outgoing).end(),
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    });
    this.#state = { type: 'connecting', cancel: () => socket.terminate() };
    let failure: unknown;
    socket.on('unexpected-response', (_request, { statusCode }) => {
      if (statusCode === 401) failure = new AgentRefusal('The agent refused the secret of the link.');
      socket.terminate();
    });
    // Always followed by close, which decides what happens next.
    socket.on('error', error => (failure ??= error));
    socket.on('open', () => this.#opened(socket));
    socket.on('message', (data, isBinary) => this.#received(socket, data, isBinary));
    socket.on('close', () => this.#ended(attempt, failure));
  }

  #opened(socket: WebSocket): void {
    if (this.#state.type !== 'connecting') return;
    this.#state = { type: 'open', socket, since: performance.now() };
    socket.on('ping', data => this.#pinged(socket, data));
    new Heartbeat(socket, PING_INTERVAL_MS);
    this.#heardAt = clock.now();
    socket.on('pong', () => this.#ponged(socket));
    this.#log.debug('link open');
    this.tell(this.#knows.timezone ? this.#launch : withoutTimezone(this.#launch));
    this.#handlers.opened();
  }

  #received(socket: WebSocket, data: RawData, isBinary: boolean): void {
    if (this.#state.type !== 'open' || !Buffer.isBuffer(data)) return;
    this.#heardAt = clock.now();
    // Charged before validation, since invalid messages cost as much.
    const debt = this.#charge(data.length, chargeOf(data, isBinary));
    if (debt > 0) pause(socket, debt);
    const message = isBinary ? decodeAgentMedia(data) : decodeAgentControl(data);
    if (message === null) return this.#logIgnored('debug', { bytes: data.length, isBinary }, 'agent message ignored');
    if (isMediaMessage(message)) return this.#handlers.media(message);
    if (message.type === 'launched') return this.#launched(message);
    if (this.#address.linkVersion === 1) this.#launched({});
    this.#handlers.control(message);
  }

  /** Repeated acceptance of a launch changes nothing. */
  #launched({ error }: Pick<Launched, 'error'>): void {
    if (this.#opening === undefined) return;
    if (error !== undefined) return this.#refused(new AgentRefusal(`The agent refused the launch: ${error}`));
    this.#opening.resolve();
    this.#opening = undefined;
  }

  /** A link that was never open is given up. */
  #refused(refusal: AgentRefusal): void {
    this.#logRefusal('warn', { reason: refusal.message }, 'link refused');
    if (this.#opening === undefined) return;
    this.#opening.reject(refusal);
    this.#opening = undefined;
    this.close();
  }

  /** Charges a message to the rate limit; returns how long the link must pause, ms. */
  #charge(bytes: number, charge: Charge): number {
    const now = performance.now();
    return Math.max(
      this.#messages.spend(now, 1),
      this.#bytes.spend(now, bytes),
      charge === 'media' ? 0 : this.#signals.spend(now, 1),
      charge === 'text' ? this.#texts.spend(now, bytes) : 0,
    );
  }

  /** Agents seldom ping; floods of pings and of pongs are throttled like any other message. */
  #pinged(socket: WebSocket, payload: Buffer): void {
    this.#signalled(socket);
    if (socket.bufferedAmount < PONG_LIMIT_BYTES) socket.pong(payload);
  }

  #ponged(socket: WebSocket): void {
    this.#heardAt = clock.now();
    this.#signalled(socket);
  }

  #signalled(socket: WebSocket): void {
    const debt = this.#signals.spend(performance.now(), 1);
    if (debt > 0) pause(socket, debt);
  }

  #ended(attempt: number, failure: unknown): void {
    if (this.#state.type !== 'closed' && failure instanceof AgentRefusal) this.#refused(failure);
    else if (failure !== undefined) this.#log.trace({ err: failure }, 'link error');
    const state = this.#state;
    if (state.type === 'closed') return;
    const now = performance.now();
    const wasSteady = state.type === 'open' && now - state.since >= STEADY_MS;
    const failed = wasSteady ? 0 : attempt;
    // Attempts before the container has come up do not count.
    const [wait, next] =
      this.#opening === undefined ? [reopenAfter(failed), failed + 1] : [openAfter(now - this.#opening.since), 0];
    this.#state = { type: 'waiting', timer: setTimeout(() => this.#connect(next), wait) };
    if (state.type !== 'open') return;
    this.#logLoss('warn', {}, 'link lost');
    this.#handlers.lost();
  }
}

/** Agents that do not know the time zone would refuse a launch with one. */
function withoutTimezone(launch: Launch): Launch {
  if (!('chromium' in launch)) return launch;
  const { timezone: _, ...chromium } = launch.chromium;
  return { ...launch, chromium };
}

const MEDIA_TYPES: ReadonlySet<string> = new Set<AgentMedia['type']>([
  'video',
  'audio',
  'cursor',
  'patch',
  'display',
  'clipboard',
  'window count',
  'layers',
]);
const isMediaMessage = (message: AgentMedia | FromAgent): message is AgentMedia => MEDIA_TYPES.has(message.type);

/** Throttles a flooding container by pausing reads, so that TCP applies back-pressure. */
function pause(socket: WebSocket, ms: number): void {
  if (socket.isPaused) return;
  socket.pause();
  setTimeout(() => socket.resume(), ms);
}
