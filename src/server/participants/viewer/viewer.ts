import { randomBytes } from 'node:crypto';
import type { WebSocket, RawData } from 'ws';
import type { ToViewer } from '../../../protocol/generated/schemas.js';
import { CloseCode, MessageType } from '../../../protocol/message-type.js';
import { TOUCH_PHASES } from '../../../protocol/touch.js';
import { type Access, maySee, type Person } from '../../model/index.js';
import { pong } from '../../../protocol/viewer-wire.js';
import { type Allowance, binaryCost, effectCost, textCost } from './allowance.js';
import { decodeViewerBinary, decodeViewerText, type ViewerMessage } from './from-viewer.js';
import { type Incoming, Intake } from './intake.js';
import { Heartbeat, probe, probeOf } from '../../lib/heartbeat.js';
import type { VideoFrame } from '../../agent-link/index.js';
import { type MediaSink, type MediaSubscription, VideoSender } from '../../media/index.js';
import { Outgoing } from './outgoing.js';
import type { TokenBucket } from '../../lib/token-bucket.js';
import { clock } from '../../lib/clock.js';

/** Where a viewer's connection comes from. */
export interface ViewerOrigin {
  ip: string;
  user_agent: string;
  /** The version of the messages to viewers that its page understands. */
  version: number;
  /** What viewers of its address may cost together. */
  budget: TokenBucket;
}

/** Events of a viewer's socket. `left` is called once, last. */
export interface ViewerHandlers {
  message(viewer: Viewer, message: ViewerMessage): void;
  /** How many viewers the session has, which is what some messages cost. */
  viewers(): number;
  left(viewer: Viewer): void;
}

const NOTHING: MediaSubscription = { video: false, audio: false, chroma444: false };

const JOIN_TIMEOUT_MS = 5000;
const PING_INTERVAL_MS = 20_000;
const CLOSE_TIMEOUT_MS = 1000;
const MAX_ERRORS = 20;

/** Version of the messages to viewers from which on one tells of many pointers. */
const POINTERS_SINCE = 2;

/** Backlog above which patches, audio and cursors are dropped. */
const PATCH_LIMIT_BYTES = 32 << 10;
const AUDIO_LIMIT_BYTES = 256 << 10;
const CURSOR_LIMIT_BYTES = 2 << 20;

/** Maximum number of messages buffered after the `join` and before its answer. */
const MAX_EARLY = 8;

/** One viewer's socket, created with `autoPong: false`. It has joined once its `join` message was granted. */
export class Viewer implements MediaSink {
  /** Visible to integrators, new for every connection. */
  readonly userId = crypto.randomUUID();
  /** Credential of this connection for requests that are too large for its socket. */
  readonly ticket = randomBytes(24).toString('base64url');
  readonly connectedAt = clock.now();
  /** When it last gave input, whether or not that was carried out, ms of performance.now(). */
  inputAt: number | null = null;
  /** Whether it understands messages about many pointers. */
  readonly takesPointers: boolean;
  readonly video = new VideoSender();
  /** What others see of it. */
  person: Person = {};
  /** Whether its page handles file choosers. */
  answersChoosers = false;
  /** The media that it wants, if it may see the session. */
  wanted: MediaSubscription = NOTHING;
  readonly #socket: WebSocket;
  readonly #outgoing: Outgoing;
  readonly #heartbeat: Heartbeat;
  readonly #handlers: ViewerHandlers;
  readonly #intake: Intake;
  #phase: 'connected' | 'asking' | 'joined' | 'closing' = 'connected';
  #early: ViewerMessage[] = [];
  readonly #deadline: NodeJS.Timeout;
  #errors = 0;
  #heardAt = performance.now();

  /** `number` identifies the viewer on the session's link; `allowance` is what it may send. */
  constructor(
    socket: WebSocket,
    readonly number: number,
    readonly about: ViewerOrigin,
    public access: Access,
    readonly allowance: Allowance,
    handlers: ViewerHandlers,
  ) {
    this.takesPointers = about.version >= POINTERS_SINCE;
    this.#socket = socket;
    this.#outgoing = new Outgoing(socket);
    this.#handlers = handlers;
    this.#deadline = setTimeout(() => void this.close(CloseCode.protocol, 'join expected'), JOIN_TIMEOUT_MS);
    this.#intake = new Intake(
      socket,
      incoming => this.#receive(incoming),
      () => this.faulted(),
    );
    socket.on('message', (data, isBinary) => this.#received(data, isBinary ? 'binary' : 'text'));
    socket.on('error', () => {});
    socket.on('close', () => this.#leave());
    this.#heartbeat = new Heartbeat(socket, PING_INTERVAL_MS, (rttMs, now) => {
      this.video.measured(rttMs, now);
      this.#mind();
    });
    socket.on('ping', data => this.#received(data, 'ping'));
    socket.on('pong', data => this.#answered(data));
  }

  /** Its `join` was granted; buffered messages are handled now. */
  admit(): void {
    if (this.#phase !== 'asking') return;
    this.#phase = 'joined';
    for (const message of this.#early.splice(0)) this.#handlers.message(this, message);
  }

  /** The media that it gets. */
  get subscription(): MediaSubscription {
    return maySee(this.access) ? this.wanted : NOTHING;
  }

  /** Bytes queued in user space, including overhead. */
  get waitingBytes(): number {
    return this.#outgoing.bytes;
  }

  /** When the viewer was last heard from, ms of performance.now(). */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Sends a frame, or drops it if the viewer is behind; returns whether it was sent. Never blocks. */
  offerVideo(frame: VideoFrame, now: number): boolean {
    if (!this.video.offer(frame, this.#outgoing.bytes, now)) return false;
    this.#outgoing.send(frame.bytes);
    const number = this.video.probe(now);
    if (number !== undefined) probe(this.#socket, number);
    return true;
  }

  /** Sends a patch, which has to be there before its frame. */
  offerPatch(bytes: Buffer): boolean {
    return this.#sendWithin(PATCH_LIMIT_BYTES, bytes);
  }

  /** Sends an audio packet; late audio is worthless, so it is dropped if the viewer is behind. */
  offerAudio(bytes: Buffer): boolean {
    return this.#sendWithin(AUDIO_LIMIT_BYTES, bytes);
  }

  offerCursor(bytes: Buffer): void {
    this.#sendWithin(CURSOR_LIMIT_BYTES, bytes);
  }

  /** Sends a control message. A viewer that stops reading is disconnected. */
  tell(message: ToViewer): void {
    this.tellJson(Buffer.from(JSON.stringify(message)));
  }

  /** Sends the JSON of a control message, as `tell` does. */
  tellJson(json: Buffer): void {
    if (this.#phase !== 'closing') this.#outgoing.tell(json);
  }

  /** Pings the viewer. */
  ping(): void {
    this.#heartbeat.ping();
  }

  /** Counts a message that broke the protocol; too many close the connection. */
  faulted(): void {
    if (++this.#errors > MAX_ERRORS) void this.close(CloseCode.protocol, 'too many protocol errors');
  }

  /** Disconnects the viewer, which must not reconnect with the same credential. */
  reject(): void {
    this.tell({ type: 'end', reason: 'unauthorized' });
    void this.close(CloseCode.unauthorized, 'unauthorized');
  }

  /** Closes the socket, forcibly if the viewer does not answer; resolves when it is closed. */
  close(code: number, reason: string): Promise<void> {
    const closed = new Promise<void>(resolve => this.#socket.once('close', () => resolve()));
    if (this.#leave()) {
      this.#socket.close(code, reason);
      setTimeout(() => this.#socket.terminate(), CLOSE_TIMEOUT_MS).unref();
    }
    return closed;
  }

  /** Disconnects a viewer that answers what is sent to it, but no probes. */
  #mind(): void {
    if (this.video.ignoresProbes) void this.close(CloseCode.silent, 'no ping was answered');
  }

  #sendWithin(limit: number, bytes: Buffer): boolean {
    if (this.#outgoing.bytes > limit) return false;
    this.#outgoing.send(bytes);
    return true;
  }

  #leave(): boolean {
    if (this.#phase === 'closing') return false;
    this.#phase = 'closing';
    clearTimeout(this.#deadline);
    this.#intake.stop();
    this.#handlers.left(this);
    return true;
  }

  #received(data: RawData, type: 'text' | 'binary' | 'ping'): void {
    if (this.#phase === 'closing' || !Buffer.isBuffer(data)) return;
    this.#heardAt = performance.now();
    this.#intake.receive({ data, type: type === 'binary' && isMoveMessage(data) ? 'move' : type });
  }

  /** Handles what the viewer has sent; returns how long it must wait then, ms. */
  #receive({ data, type }: Incoming): number {
    if (this.#phase === 'closing') return 0;
    const now = performance.now();
    switch (type) {
      case 'ping':
        this.#outgoing.pong(data);
        return this.allowance.ping(now);
      case 'text':
        // Charged before parsing, since invalid messages cost as much.
        return Math.max(
          this.allowance.spend(now, textCost(data.length)),
          this.#handle(decodeViewerText(data.toString()), false),
        );
      case 'move':
      case 'binary':
        return this.#binary(data, now);
    }
  }

  #binary(data: Buffer, now: number): number {
    const message = decodeViewerBinary(data);
    if (message?.type === 'ping') {
      this.#outgoing.reply(pong.encode({ token: message.token }));
      return this.allowance.ping(now);
    }
    // There are no more of them than frames.
    if (message?.type === 'ack' && this.#phase === 'joined' && this.#acknowledged(message.frame, now)) return 0;
    return Math.max(this.allowance.spend(now, binaryCost(data.length)), this.#handle(message, true));
  }

  #acknowledged(frame: number, now: number): boolean {
    const isKnown = this.video.acknowledge(frame, now);
    this.#mind();
    return isKnown;
  }

  #handle(message: ViewerMessage | null, isBinary: boolean): number {
    if (message === null || (message.type === 'join') !== (this.#phase === 'connected')) this.faulted();
    else if (this.#phase === 'asking') this.#keep(message, isBinary);
    else {
      if (message.type === 'join') {
        clearTimeout(this.#deadline);
        this.#phase = 'asking';
      }
      this.#handlers.message(this, message);
      const cost = effectCost(message, this.#handlers.viewers());
      return cost === 0 ? 0 : this.allowance.spend(performance.now(), cost);
    }
    return 0;
  }

  /** Input buffered until the answer to `join` would be stale by then. */
  #keep(message: ViewerMessage, isBinary: boolean): void {
    if (isBinary || this.#early.length >= MAX_EARLY) return this.faulted();
    this.#early.push(message);
  }

  #answered(pong: Buffer): void {
    const now = performance.now();
    this.#heardAt = now;
    const number = probeOf(pong);
    // There are no more of them than probes.
    if (number !== undefined && this.video.probed(number, now)) return;
    this.#intake.wait(this.allowance.spend(now, 1));
  }
}

/** Messages that cost little if only the newest of several that wait is carried out. */
const isMoveMessage = ([type, phase]: Buffer) =>
  type === MessageType.move ||
  type === MessageType.wheel ||
  (type === MessageType.touch && TOUCH_PHASES[phase ?? 0] === 'move');

/** Tells all viewers the same. It is serialized once, however many there are; returns its size, bytes. */
export function tellAll(viewers: Iterable<Pick<Viewer, 'tellJson'>>, message: ToViewer): number {
  let json: Buffer | undefined;
  for (const viewer of viewers) viewer.tellJson((json ??= Buffer.from(JSON.stringify(message))));
  return json?.length ?? 0;
}
