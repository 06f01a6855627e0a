import {
  ALIVE_INTERVAL,
  EXTENSION_ERROR_MAX,
  EXTENSION_MESSAGE_MAX,
  EXTENSION_PATH,
} from '../../protocol/extension.js';
import type { ExtensionCall, FromExtension } from '../../protocol/generated/schemas.js';
import { readConnection } from './connection.js';

/** Milliseconds between attempts to reach the agent. */
const RETRY = 500;

/** Maximum number of events queued while disconnected; older ones are dropped. */
const WAITING_MAX = 500;

/** The name of an event. */
export type EventName = Extract<FromExtension, { type: 'event' }>['name'];

/** The connection to the agent, which reconnects when it is lost. */
export class AgentSocket {
  readonly #call: (call: ExtensionCall) => Promise<unknown>;
  readonly #waiting: string[] = [];
  #socket: WebSocket | undefined;
  #isOpen = false;

  /** `call` carries out the agent's calls. */
  constructor(call: (call: ExtensionCall) => Promise<unknown>) {
    this.#call = call;
    setInterval(() => this.#isOpen && this.#send({ type: 'alive' }), ALIVE_INTERVAL);
    void this.#connect();
  }

  event(name: EventName, args: readonly unknown[]): void {
    this.#send({ type: 'event', name, args });
  }

  async #connect(): Promise<void> {
    try {
      const { port, secret } = await readConnection();
      this.#open(new WebSocket(`ws://127.0.0.1:${port}${EXTENSION_PATH}`), secret);
    } catch {
      setTimeout(() => void this.#connect(), RETRY);
    }
  }

  #open(socket: WebSocket, secret: string): void {
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'hello', secret } satisfies FromExtension));
      this.#isOpen = true;
      for (const text of this.#waiting.splice(0)) socket.send(text);
    };
    socket.onmessage = ({ data }) => void this.#answer(JSON.parse(data as string) as ExtensionCall);
    socket.onclose = () => {
      this.#isOpen = false;
      setTimeout(() => void this.#connect(), RETRY);
    };
  }

  async #answer(call: ExtensionCall): Promise<void> {
    const { id } = call;
    try {
      const value = await this.#call(call);
      this.#send({ type: 'result', id, value: value ?? null });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#send({ type: 'result', id, error: text.slice(0, EXTENSION_ERROR_MAX) });
    }
  }

  #send(message: FromExtension): void {
    const text = JSON.stringify(message);
    if (text.length > EXTENSION_MESSAGE_MAX) return this.#tooLarge(message);
    if (this.#isOpen) this.#socket?.send(text);
    else if (message.type === 'event') {
      this.#waiting.push(text);
      if (this.#waiting.length > WAITING_MAX) this.#waiting.shift();
    }
  }

  #tooLarge(message: FromExtension): void {
    if (message.type === 'result') this.#send({ ...message, value: null, error: 'The result is too large.' });
  }
}
