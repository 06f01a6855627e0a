import { Readable } from 'node:stream';
import { RouteError, type Route, type RouteRequest } from '../link/routes.js';
import { writePng } from './png.js';
import { decodeShot, type Shot } from './shot.js';

/** Silence of this many milliseconds means that the display helper was restarted. */
const SILENCE = 3000;

/** Of devices, which make a picture first, and may be behind a slow network. */
const DEVICE_SILENCE = 30_000;

/** Maximum length of the queue of screenshots, including the current one. */
const QUEUE_MAX = 8;

const WIDTH_MIN = 16;

export interface ScreenshotOptions {
  /** Requests a screenshot of this width from the display helper, 0 for the display's own. */
  readonly ask: (width: number) => void;
  /** Width of the display; undefined until it is known. */
  readonly displayWidth: () => number | undefined;
  /** Whether a device takes the screenshot. */
  readonly byDevice: () => boolean;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Whole rows of RGB pixels. */
  readonly rows: Readable;
}

type State =
  | { type: 'idle' }
  | { type: 'asked'; began: (picture: Picture) => void; failed: (error: Error) => void; timer: NodeJS.Timeout }
  | { type: 'receiving'; picture: Picture; next: number; timer: NodeJS.Timeout };

/** Screenshots for HTTP requests, one at a time. */
export class Screenshots {
  readonly #options: ScreenshotOptions;
  #state: State = { type: 'idle' };
  #waiting: (() => void)[] = [];

  constructor(options: ScreenshotOptions) {
    this.#options = options;
  }

  /** `GET /screenshot?width=`. */
  readonly route: Route = {
    method: 'GET',
    path: '/screenshot',
    handle: async ({ response, query }: RouteRequest) => {
      const { width, height, rows } = await this.#take(this.#width(query.get('width')));
      response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'no-store' });
      // A client that disconnects in between is not the agent's fault.
      await writePng(width, height, rows, response).catch(() => response.destroy());
    },
  };

  /** Handles a `shot` message of the helper: `user u32, message`. Ignored if nobody waits for it any more. */
  piece(body: Buffer): void {
    const shot = decodeShot(body);
    if (shot === null || this.#state.type === 'idle') return;
    if (shot.width === 0) return this.#fail();
    if (this.#state.type === 'asked') {
      if (shot.top === 0) this.#begin(this.#state, shot);
      return;
    }
    const { picture, next } = this.#state;
    if (shot.top === next && shot.width === picture.width && shot.height === picture.height)
      this.#add(this.#state, shot);
  }

  /** @throws RouteError for an unsupported width */
  #width(asked: string | null): number {
    const most = this.#options.displayWidth();
    if (most === undefined) throw new RouteError(503, 'not_ready', 'The display is not ready yet; try again.');
    if (asked === null) return 0;
    const width = /^\d{1,5}$/.test(asked) ? Number(asked) : NaN;
    if (width >= WIDTH_MIN && width <= most) return width;
    throw new RouteError(400, 'invalid_query', `width must be a whole number from ${WIDTH_MIN} to ${most}.`);
  }

  async #take(width: number): Promise<Picture> {
    while (this.#state.type !== 'idle') await this.#turn();
    return new Promise((began, failed) => {
      this.#state = { type: 'asked', began, failed, timer: this.#watch() };
      this.#options.ask(width);
    });
  }

  #turn(): Promise<void> {
    if (this.#waiting.length + 1 >= QUEUE_MAX) {
      throw new RouteError(503, 'busy', 'Too many screenshots are pending; try again.');
    }
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  #watch(): NodeJS.Timeout {
    return setTimeout(() => this.#fail(), this.#options.byDevice() ? DEVICE_SILENCE : SILENCE);
  }

  #begin({ began, timer }: State & { type: 'asked' }, shot: Shot): void {
    clearTimeout(timer);
    const { width, height } = shot;
    const picture = { width, height, rows: new Readable({ read: () => undefined }) };
    // The reader gets the error; if it has stopped reading, the agent must not crash.
    picture.rows.on('error', () => undefined);
    began(picture);
    this.#add({ type: 'receiving', picture, next: 0, timer }, shot);
  }

  #add({ picture, next, timer }: State & { type: 'receiving' }, { pixels, count }: Shot): void {
    clearTimeout(timer);
    picture.rows.push(pixels);
    if (next + count < picture.height) {
      this.#state = { type: 'receiving', picture, next: next + count, timer: this.#watch() };
      return;
    }
    picture.rows.push(null);
    this.#done();
  }

  #fail(): void {
    const state = this.#state;
    if (state.type === 'idle') return;
    clearTimeout(state.timer);
    const error = new RouteError(503, 'screenshot_failed', 'The display could not be read; try again.');
    if (state.type === 'asked') state.failed(error);
    else state.picture.rows.destroy(error);
    this.#done();
  }

  #done(): void {
    this.#state = { type: 'idle' };
    this.#waiting.shift()?.();
  }
}
