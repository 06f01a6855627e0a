import type { ChildProcess } from 'node:child_process';
import type { Handover } from '../handover/handover.js';
import type { Log } from '../lib/log.js';
import { CONTENT_MAX_BYTES } from '../../protocol/message-type.js';
import { waitOrKill } from '../process/adopted.js';
import { Program } from '../process/program.js';
import type { Screen } from './screen.js';
import { frame, FrameParser } from './framing.js';
import { DisplayStateCache } from './display-state-cache.js';

/** How long the previous agent's helper may take to end, milliseconds. */
const FORMER_GRACE = 500;

/** Backlog above which input for the helper is dropped: more than the largest content of the clipboard. */
const QUEUE_MAX_BYTES = CONTENT_MAX_BYTES + (4 << 20);

export interface HelperOptions {
  readonly log: Log;
  readonly env: Record<string, string>;
  readonly handover: Handover;
  /** Resolves when the X server accepts connections. */
  readonly ready: () => Promise<void>;
  /** Receives each message of the helper, as `user u32, message`. */
  readonly message: (body: Buffer) => void;
}

/** Keeps the display helper running, and restores its state after a restart. */
export class DisplayHelper implements Screen {
  readonly #options: HelperOptions;
  readonly #memory: DisplayStateCache;
  readonly #program: Program;
  #child: ChildProcess | undefined;
  /** Resolves when the previous agent's helper has ended. */
  #former: Promise<void> = Promise.resolve();

  constructor(options: HelperOptions) {
    this.#options = options;
    this.#memory = new DisplayStateCache(options.handover);
    this.#program = new Program({
      name: 'berth-display',
      log: options.log,
      policy: { first: 20, longest: 1000, window: 10_000, tolerated: Infinity },
      handover: options.handover,
      command: async () => {
        await Promise.all([this.#former, options.ready()]);
        return { file: 'berth-display', args: [], env: options.env, stdio: ['pipe', 'pipe', 'pipe'] };
      },
      started: child => this.#adopt(child),
      died: () => (this.#child = undefined),
      grace: 300,
    });
  }

  start(): void {
    // It ends by itself with the agent that fed it, after releasing what is held.
    this.#former = waitOrKill(this.#program.left, FORMER_GRACE);
    this.#program.start();
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }

  /** Sends `user u32, message`. While the helper is down, input is lost but state is not. */
  send(body: Uint8Array): void {
    this.#memory.tell(body);
    const stdin = this.#child?.stdin;
    if (!stdin?.writable || stdin.writableLength > QUEUE_MAX_BYTES) return;
    stdin.write(frame(body));
  }

  /** The messages that a new link needs: size, cursor, windows. */
  picture(): Uint8Array[] {
    return this.#memory.forLink();
  }

  /** Size of the display in pixels; undefined until the helper has reported it. */
  get displaySize(): { width: number; height: number } | undefined {
    return this.#memory.displaySize;
  }

  #adopt(child: ChildProcess): void {
    this.#child = child;
    const parser = new FrameParser(body => this.#receive(body));
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('error', () => undefined);
    child.stdout?.on('data', (chunk: Buffer) => {
      try {
        parser.push(chunk);
      } catch (error) {
        this.#options.log.warn('display helper sent an invalid message', { error: String(error) });
        child.stdout?.removeAllListeners('data').resume();
        child.kill('SIGKILL');
      }
    });
    for (const body of this.#memory.forHelper()) child.stdin?.write(frame(body));
  }

  #receive(body: Buffer): void {
    this.#memory.show(body);
    this.#options.message(body);
  }
}
