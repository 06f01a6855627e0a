import type { DisplayOptions } from '../../protocol/generated/schemas.js';
import { type Access, type Kind, mayControl, mayCopy, mayResize, maySee } from '../model/index.js';
import { costOf, Pace } from './viewer/pace.js';
import { combinedSubscription, DisplayControl, Fanout, MediaLimits, type MediaMetrics } from '../media/index.js';
import { type AgentMedia, type Copied, setDisplayMessage } from '../agent-link/index.js';
import type { MessageHandlers } from './viewer/messages.js';
import { tellAll, type Viewer } from './viewer/viewer.js';

/** Minimum intervals between two displays or texts, and two shapes of the cursor, of which the newest is enough, ms. */
const DISPLAY_INTERVAL_MS = 100;
const CURSOR_INTERVAL_MS = 33;

/** A session's video and audio, distributed to its viewers according to their subscriptions. */
export class Broadcast {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #kind: Kind;
  readonly handlers: Pick<MessageHandlers, 'media' | 'refresh' | 'resize'> = {
    media: (viewer, { video, audio }) => this.#subscribe(viewer, video, audio),
    refresh: viewer => this.#refresh(viewer),
    resize: (viewer, { width, height }) => this.#resize(viewer, width, height),
  };
  readonly #fanout: Fanout;
  readonly #display: DisplayControl;
  readonly #isSharp: boolean;
  readonly #limits: MediaLimits;
  readonly #cursors = new Pace(CURSOR_INTERVAL_MS, () => this.#tellCursor());
  readonly #displays = new Pace(DISPLAY_INTERVAL_MS, () => this.#tellDisplay());
  readonly #texts = new Pace(DISPLAY_INTERVAL_MS, () => this.#tellText());
  #cursor: Buffer | undefined;
  #copied: Copied = { text: '' };

  constructor(
    viewers: ReadonlySet<Viewer>,
    kind: Kind,
    display: DisplayOptions,
    send: (message: Buffer) => void,
    metrics: MediaMetrics,
  ) {
    this.#viewers = viewers;
    this.#kind = kind;
    this.#fanout = new Fanout(viewers, send, metrics);
    this.#display = new DisplayControl(display, state => send(setDisplayMessage(state)));
    this.#isSharp = display.quality === 'sharp';
    this.#limits = new MediaLimits(display.fps);
  }

  /** Distributes what the agent sent, as far as a healthy one sends it. */
  distribute(message: AgentMedia): void {
    const now = performance.now();
    switch (message.type) {
      case 'video':
        if (this.#limits.takesFrame(message.frame.layer, now)) return this.#fanout.video(message.frame);
        return this.#fanout.lost(message.frame.layer);
      case 'audio':
        if (this.#limits.takesAudio(now)) this.#fanout.audio(message.bytes);
        return;
      case 'patch':
        if (this.#limits.takesPatch(now)) this.#fanout.patch(message.bytes);
        return;
      case 'cursor':
        // Copied, since the original is a view into a larger buffer.
        this.#cursor = Buffer.from(message.bytes);
        return void this.#cursors.due();
      case 'display':
        this.#display.confirm(message.display);
        return void this.#displays.due();
      case 'layers':
        return this.#fanout.layers(message.count);
      case 'clipboard':
        this.#copied = message.copied;
        return void this.#texts.due();
      default:
    }
  }

  /** A viewer has joined; it receives media from now on. */
  joined(viewer: Viewer): void {
    viewer.tell(this.#display.message);
    if (this.#cursor !== undefined && maySee(viewer.access)) viewer.offerCursor(this.#cursor);
    this.#updateSubscription();
    this.#fanout.attend();
  }

  /** The access of viewers has changed from this; the picture begins again for those who may see it now. */
  accessChanged(former: ReadonlyMap<Viewer, Access>): void {
    const changed = [...former].filter(([{ access }, before]) => maySee(access) !== maySee(before));
    if (changed.length === 0) return;
    for (const [viewer] of changed) {
      viewer.video.reset();
      if (this.#cursor !== undefined && maySee(viewer.access)) viewer.offerCursor(this.#cursor);
    }
    this.#updateSubscription();
    this.#fanout.attend();
  }

  /** A viewer has left. */
  left(): void {
    this.#updateSubscription();
  }

  /** Tells a new link which media are wanted. */
  renew(): void {
    this.#display.renew();
    this.#fanout.renew();
  }

  stop(): void {
    this.#fanout.stop();
    this.#display.stop();
    for (const pace of [this.#cursors, this.#displays, this.#texts]) pace.stop();
  }

  /** A viewer has changed its subscription. */
  #subscribe(viewer: Viewer, video = viewer.wanted.video, audio = viewer.wanted.audio): void {
    if (video !== viewer.wanted.video) viewer.video.reset();
    viewer.wanted = { ...viewer.wanted, video, audio };
    this.#updateSubscription();
    this.#fanout.attend();
  }

  /** A viewer has lost the stream and needs a key frame. */
  #refresh(viewer: Viewer): void {
    viewer.video.reset();
    this.#fanout.attend();
  }

  /** Resizes the display, pixels, for a viewer that may request it. */
  #resize(viewer: Viewer, width: number, height: number): void {
    if (!this.#kind.resizable) {
      const message = "The size of this session's display is that of its device.";
      viewer.tell({ type: 'refused', code: 'not_resizable', message });
    } else if (!mayResize(viewer.access)) {
      const message = 'Resizing needs the role resize, and control that is not disabled.';
      viewer.tell({ type: 'refused', code: 'role_required', message });
    } else if (!this.#display.resize(width, height)) {
      const message = `The area must be at most ${this.#display.maxArea} pixels.`;
      viewer.tell({ type: 'refused', code: 'too_large', message });
    }
  }

  #tellCursor(): number {
    const cursor = this.#cursor;
    if (cursor === undefined) return 0;
    const seeing = [...this.#viewers].filter(({ access }) => maySee(access));
    for (const viewer of seeing) viewer.offerCursor(cursor);
    return costOf(seeing.length, cursor.length);
  }

  #tellDisplay(): number {
    tellAll(this.#viewers, this.#display.message);
    this.#updateSubscription();
    return this.#viewers.size;
  }

  #tellText(): number {
    const holders = [...this.#viewers].filter(({ access }) => mayCopy(access));
    const others = [...this.#viewers].filter(({ access }) => !mayCopy(access) && mayControl(access));
    const told = costOf(holders.length, tellAll(holders, { type: 'clipboard', ...this.#copied }));
    return told + costOf(others.length, tellAll(others, { type: 'copied' }));
  }

  #updateSubscription(): void {
    const subscription = combinedSubscription([...this.#viewers].map(viewer => viewer.subscription));
    if (subscription.video) this.#display.setChroma(this.#isSharp && subscription.chroma444);
    this.#fanout.want(subscription);
  }
}
