import type { ChildProcess } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { Message, MessageBus } from '@jellybrick/dbus-next';
import type { Handover } from '../../../handover/handover.js';
import type { Log } from '../../../lib/log.js';
import { Program } from '../../../process/program.js';

/** Where programs find the bus, as its configuration says (images/base/etc/session-bus.conf). */
export const BUS_ADDRESS = 'unix:path=/run/berth/bus';

/** Descriptor on which dbus-daemon reports its address, once it accepts connections. */
const READY_FD = 3;

/** Milliseconds for it to do so, and to let the agent in. */
const READY_TIMEOUT = 5000;

/** Milliseconds that others wait for it: without the bus, Chromium has its own dialogs. */
const WAIT = 2000;

export interface SessionBusOptions {
  readonly log: Log;
  readonly env: Record<string, string>;
  readonly handover: Handover;
  /** The name under which the agent is found. */
  readonly name: string;
  /** Takes a method call; returns whether it was known, otherwise it is answered with an error. */
  readonly called: (call: Message, bus: Bus) => boolean;
}

/** A connection to the bus, and what makes its messages. */
export interface Bus {
  send(message: Message): void;
  readonly dbus: typeof import('@jellybrick/dbus-next');
}

/** A D-Bus session bus for the browser, which outlives agents, and the agent's connection to it. */
export class SessionBus {
  readonly #options: SessionBusOptions;
  readonly #daemon: Program;
  #connection: { readonly bus: Bus; readonly messages: MessageBus } | undefined;

  constructor(options: SessionBusOptions) {
    this.#options = options;
    const { log, env, handover } = options;
    this.#daemon = new Program({
      name: 'dbus-daemon',
      log,
      policy: { first: 50, longest: 2000, window: 60_000, tolerated: 5 },
      handover,
      command: () => ({
        file: 'dbus-daemon',
        args: [
          ...['--config-file=/etc/berth/session-bus.conf', '--nofork', '--nopidfile'],
          // Its standard error may have no reader any more.
          ...['--syslog-only', `--print-address=${READY_FD}`],
        ],
        env,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      }),
      started: async child => {
        await listens(child);
        await this.#connect();
      },
      adopted: () => this.#connect(),
      died: () => this.#disconnect(),
    });
  }

  start(): void {
    this.#daemon.start();
    // While the daemon starts, for which the browser waits.
    void library();
  }

  /** Resolves when the agent is found on it, or will not be soon. */
  async whenUp(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>(resolve => (timer = setTimeout(resolve, WAIT)));
    await Promise.race([this.#daemon.whenUp(), late]);
    clearTimeout(timer);
  }

  /** The connection; undefined while there is none. */
  get bus(): Bus | undefined {
    return this.#connection?.bus;
  }

  async stop(): Promise<void> {
    this.#disconnect();
    await this.#daemon.stop();
  }

  async #connect(): Promise<void> {
    const dbus = await library();
    const messages = dbus.sessionBus({ busAddress: BUS_ADDRESS, authMethods: ['EXTERNAL'] });
    const { log, name, called } = this.#options;
    const bus: Bus = { dbus, send: message => messages.send(message) };
    this.#connection = { bus, messages };
    messages.addMethodHandler(call => called(call, bus));
    const failed = new Promise<never>((_resolve, reject) => {
      // Its types leave errors out.
      (messages as EventEmitter).on('error', (error: unknown) => {
        log.warn('session bus failed', { error: String(error) });
        reject(error instanceof Error ? error : new Error(String(error)));
      });
    });
    failed.catch(() => undefined);
    const timeout = AbortSignal.timeout(READY_TIMEOUT);
    const late = once(timeout, 'abort').then(() => Promise.reject(new Error('the session bus does not answer')));
    // Where the previous agent's connection is not closed yet, this one is next.
    await Promise.race([messages.requestName(name, 0), failed, late]);
  }

  #disconnect(): void {
    this.#connection?.messages.disconnect();
    this.#connection = undefined;
  }
}

/** Loaded for browsers only. */
const library = () => import('@jellybrick/dbus-next');

/** Resolves when the daemon of this process accepts connections. */
async function listens(child: ChildProcess): Promise<void> {
  const pipe = child.stdio[READY_FD] as Readable;
  await once(pipe, 'data', { signal: AbortSignal.timeout(READY_TIMEOUT) }).finally(() => pipe.destroy());
}
