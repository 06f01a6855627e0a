import type { Patch } from '../../../protocol/viewer-messages.js';
import type { Size } from '../../lib/geometry.js';
import type { RecentUse } from '../recent-use.js';
import { FramePacer, UNSEEN_MS } from './frame-pacer.js';
import { Painter, type PreparedFrame } from './painter.js';
import { PatchPainter } from './patch-painter.js';
import type { FrameRenderer } from './pipeline.js';

/** Decoded frames that wait until they can be prepared; older ones are dropped. */
const MAX_UNPREPARED = 2;

interface Decoded {
  readonly picture: VideoFrame;
  readonly frame: number;
  readonly size: Size;
  readonly more: boolean;
}

interface Prepared {
  readonly painting: PreparedFrame;
  readonly frame: number;
  readonly size: Size;
}

/**
 * Draws decoded frames: at once, or paced by the screen's refresh while they come steadily and the viewer only watches.
 */
export class CanvasRenderer implements FrameRenderer {
  readonly element = document.createElement('canvas');
  readonly #painter: Painter;
  readonly #patches: PatchPainter;
  readonly #pacer: FramePacer<Prepared>;
  readonly #drawn: (frame: number) => void;
  readonly #decoded: Decoded[] = [];
  #size: Size = { width: 0, height: 0 };
  /** The last frame that was drawn. */
  #frame = -1;
  #request = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: 'idle' | 'preparing' | 'stopped' = 'idle';

  constructor(use: RecentUse, drawn: (frame: number) => void) {
    const context = this.element.getContext('2d', { alpha: false, desynchronized: true });
    if (context === null) throw new Error('this browser has no canvas');
    this.#painter = new Painter(context);
    this.#patches = new PatchPainter(context);
    this.#pacer = new FramePacer(
      now => !document.hidden && !use.isRecent(now),
      ({ painting }) => painting.close(),
    );
    this.#drawn = drawn;
  }

  resize(size: Size): void {
    this.#size = size;
  }

  draw(picture: VideoFrame, frame: number, more: boolean): void {
    this.#decoded.push({ picture, frame, size: this.#size, more });
    if (this.#decoded.length > MAX_UNPREPARED) this.#decoded.shift()?.picture.close();
    if (this.#state === 'idle') void this.#prepare();
  }

  patch(patch: Patch): void {
    const isNext = this.#state === 'idle' && !this.#pacer.isWaiting && this.#frame === patch.frame;
    const { width, height } = this.element;
    if (!isNext || patch.x + patch.width > width || patch.y + patch.height > height) return;
    try {
      this.#patches.paint(patch);
    } catch {
      // Its frame comes as well.
    }
  }

  stop(): void {
    this.#state = 'stopped';
    this.#await(false);
    this.#pacer.clear();
    for (const { picture } of this.#decoded.splice(0)) picture.close();
  }

  /** Prepares the decoded frames, and those that are decoded meanwhile, in their order. */
  async #prepare(): Promise<void> {
    this.#state = 'preparing';
    for (let next = this.#decoded.shift(); next !== undefined; next = this.#decoded.shift()) {
      const { picture, frame, size, more } = next;
      // A frame that cannot be prepared must not block the next one.
      const painting = await this.#painter.prepare(picture).catch(() => null);
      if (this.#isStopped()) return painting?.close();
      if (painting === null) continue;
      const isFollowed = more || this.#decoded.length > 0;
      this.#present(this.#pacer.add({ painting, frame, size }, performance.now(), isFollowed));
    }
    this.#state = 'idle';
  }

  #present(due: Prepared | null): void {
    this.#await(this.#pacer.isWaiting);
    if (due === null) return;
    const { painting, frame, size } = due;
    if (this.element.width !== size.width) this.element.width = size.width;
    if (this.element.height !== size.height) this.element.height = size.height;
    try {
      painting.paint();
    } catch {
      // Nor must one that cannot be painted.
      return;
    } finally {
      painting.close();
    }
    this.#frame = frame;
    this.#drawn(frame);
  }

  /** Waits for the screen's next refresh, or no longer. Browsers do not refresh what nobody can see. */
  #await(refresh: boolean): void {
    if (refresh === (this.#request !== 0)) return;
    cancelAnimationFrame(this.#request);
    clearTimeout(this.#timer);
    this.#request = refresh ? requestAnimationFrame(() => this.#due(now => this.#pacer.refresh(now))) : 0;
    if (refresh) this.#timer = setTimeout(() => this.#due(() => this.#pacer.flush()), UNSEEN_MS);
  }

  #due(next: (now: number) => Prepared | null): void {
    this.#await(false);
    this.#present(next(performance.now()));
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}
