import type { DisplayOptions } from '../../../protocol/generated/schemas.js';
import { mayCopy, mayResize } from '../../model/index.js';
import { combinedSubscription } from './subscription.js';
import { DisplayControl } from './display.js';
import { Fanout } from './fanout.js';
import { type AgentMedia, setDisplayMessage } from '../../agent-link/index.js';
import { tellAll, type Viewer } from '../viewer/viewer.js';
import type { HubMetrics } from '../types.js';

/** A session's video and audio, distributed to its viewers according to their subscriptions. */
export class Broadcast {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #fanout: Fanout;
  readonly #display: DisplayControl;
  readonly #isSharp: boolean;
  #cursor: Buffer | undefined;

  constructor(
    viewers: ReadonlySet<Viewer>,
    display: DisplayOptions,
    send: (message: Buffer) => void,
    metrics: HubMetrics,
  ) {
    this.#viewers = viewers;
    this.#fanout = new Fanout(viewers, send, metrics);
    this.#display = new DisplayControl(display, state => send(setDisplayMessage(state)));
    this.#isSharp = display.quality === 'sharp';
  }

  take(message: AgentMedia): void {
    switch (message.type) {
      case 'video':
        return this.#fanout.video(message.frame);
      case 'audio':
        return this.#fanout.audio(message.bytes);
      case 'patch':
        return this.#fanout.patch(message.bytes);
      case 'cursor':
        // Copied, since the original is a view into a larger buffer.
        this.#cursor = Buffer.from(message.bytes);
        for (const viewer of this.#viewers) viewer.offerCursor(this.#cursor);
        return;
      case 'display':
        this.#display.confirm(message.display);
        tellAll(this.#viewers, this.#display.message);
        return this.#updateSubscription();
      case 'layers':
        return this.#fanout.layers(message.count);
      case 'clipboard':
        tellAll(
          [...this.#viewers].filter(({ access }) => mayCopy(access)),
          { type: 'clipboard', text: message.text },
        );
        return;
      default:
    }
  }

  /** A viewer has joined; it receives media from now on. */
  joined(viewer: Viewer): void {
    viewer.tell(this.#display.message);
    if (this.#cursor !== undefined) viewer.offerCursor(this.#cursor);
    this.#updateSubscription();
    this.#fanout.attend();
  }

  /** A viewer has left. */
  left(): void {
    this.#updateSubscription();
  }

  /** A viewer has changed its subscription. */
  subscribe(viewer: Viewer, video = viewer.subscription.video, audio = viewer.subscription.audio): void {
    if (video !== viewer.subscription.video) viewer.video.reset();
    viewer.subscription = { ...viewer.subscription, video, audio };
    this.#updateSubscription();
    this.#fanout.attend();
  }

  /** A viewer has lost the stream and needs a key frame. */
  refresh(viewer: Viewer): void {
    viewer.video.reset();
    this.#fanout.attend();
  }

  /** Resizes the display, pixels, for a viewer that may request it. */
  resize(viewer: Viewer, width: number, height: number): void {
    if (!mayResize(viewer.access)) {
      viewer.tell({
        type: 'refused',
        code: 'role_required',
        message: 'Resizing needs the role resize, and control that is not disabled.',
      });
    } else if (!this.#display.resize(width, height)) {
      const message = `The area must be at most ${this.#display.maxArea} pixels.`;
      viewer.tell({ type: 'refused', code: 'too_large', message });
    }
  }

  /** Tells a new link which media are wanted. */
  renew(): void {
    this.#display.renew();
    this.#fanout.renew();
  }

  stop(): void {
    this.#fanout.stop();
    this.#display.stop();
  }

  #updateSubscription(): void {
    const subscription = combinedSubscription([...this.#viewers].map(viewer => viewer.subscription));
    if (subscription.video) this.#display.setChroma(this.#isSharp && subscription.chroma444);
    this.#fanout.want(subscription);
  }
}
