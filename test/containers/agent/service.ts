import { WebSocket } from 'ws';
import type {
  Activity,
  AgentState,
  ChromiumOptions,
  FromAgent,
  Launch,
  Result,
  SessionEvent,
  Wants,
} from '../../../src/protocol/generated/schemas.js';
import { encodeInput, type InputEvent } from '../../../src/protocol/input.js';
import { LINK_PATH, MessageType, VideoFlag } from '../../../src/protocol/message-type.js';
import { connectAgent } from '../../../src/server/agent-link/agent-connection.js';
import { until } from '../../fixtures/until.js';
import type { Computer } from './computer.js';

interface Teardown {
  teardown(handler: () => unknown): void;
}

const TIMEOUT_MS = 5000;

const toAll = (message: Uint8Array) => Buffer.concat([Buffer.alloc(4), message]);

/** A launch of Chromium at 1280x720. */
export function launchOf(chromium: Partial<ChromiumOptions> = {}): Launch {
  return {
    type: 'launch',
    kind: 'chromium',
    display: { width: 1280, height: 720, fps: 30, max_area: 1280 * 720, quality: 'smooth', hide_cursor: false },
    chromium: { start_url: 'about:blank', kiosk: false, webgl: false, dark: false, ...chromium },
  };
}

/** The service's end of a link. */
export class Service {
  readonly #socket: WebSocket;
  readonly states: AgentState[] = [];
  readonly activities: Activity[] = [];
  readonly events: SessionEvent[] = [];
  readonly wants: Wants[] = [];
  readonly #results = new Map<number, (result: Result) => void>();
  #lastCall = 0;
  /** All text messages, as they came. */
  readonly heard: FromAgent[] = [];
  /** Binary messages without the user, as they came. */
  readonly messages: Buffer[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        this.messages.push(data.subarray(4));
        return;
      }
      const message = JSON.parse(data.toString()) as FromAgent;
      this.heard.push(message);
      if (message.type === 'state') this.states.push(message);
      if (message.type === 'activity') this.activities.push(message);
      if (message.type === 'event') this.events.push(message);
      if (message.type === 'wants') this.wants.push(message);
      if (message.type === 'result') this.#results.get(message.id)?.(message);
    });
    socket.on('error', () => undefined);
  }

  /** Connects as soon as the agent listens. */
  static async connect(t: Teardown, computer: Pick<Computer, 'agent'>): Promise<Service> {
    const service = await until('the agent takes a link', () => Service.#try(computer));
    t.teardown(() => service.close());
    return service;
  }

  static async #try({ agent }: Pick<Computer, 'agent'>): Promise<Service | null> {
    const connection = await connectAgent(agent, TIMEOUT_MS).catch(() => null);
    if (connection === null) return null;
    const { authorization } = connection;
    const socket = new WebSocket(`ws://agent${LINK_PATH}`, {
      createConnection: () => connection.socket,
      headers: { authorization },
    });
    const service = new Service(socket);
    return new Promise(resolve => {
      socket.once('open', () => resolve(service));
      socket.once('error', () => resolve(null));
    });
  }

  tell(message: object | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Calls a method of the agent; rejects with `code` and `message` of its error. */
  async call(method: string, ...args: unknown[]): Promise<unknown> {
    const id = ++this.#lastCall;
    this.tell({ type: 'call', id, method, args });
    const { value, error } = await new Promise<Result>(resolve => this.#results.set(id, resolve));
    this.#results.delete(id);
    if (error === undefined) return value;
    throw Object.assign(new Error(error.message), { code: error.code });
  }

  send(message: Uint8Array): void {
    this.#socket.send(toAll(message));
  }

  input(event: InputEvent): void {
    this.send(encodeInput(event));
  }

  /** Presses and releases the key of this X11 keysym. */
  press(keysym: number): void {
    this.input({ type: 'key', down: true, keysym });
    this.input({ type: 'key', down: false, keysym });
  }

  /** Clicks with the left button; `x` and `y` are fractions of the display. */
  click(x: number, y: number): void {
    this.input({ type: 'button', button: 0, down: true, x, y });
    this.input({ type: 'button', button: 0, down: false, x, y });
  }

  watch(video = true, audio = false): void {
    this.send(Uint8Array.of(MessageType.stream, video ? 1 : 0, audio ? 1 : 0));
  }

  /** Messages of a type that came since `from`, a count of all messages. */
  of(type: number, from = 0): Buffer[] {
    return this.messages.slice(from).filter(message => message[0] === type);
  }

  keyFrames(from = 0): Buffer[] {
    return this.of(MessageType.video, from).filter(message => ((message[1] ?? 0) & VideoFlag.key) !== 0);
  }

  get state(): string | undefined {
    return this.states.at(-1)?.state;
  }

  /** Launches and waits until it runs. */
  async run(launch: Launch): Promise<void> {
    this.tell(launch);
    await until('the browser runs', () => this.state === 'running');
  }

  /** Waits until the browser's extension takes calls. */
  async browserAnswers(): Promise<void> {
    await until('the browser takes calls', () => this.call('tabs.query', {}).catch(() => false));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  close(): void {
    this.#socket.terminate();
  }
}
