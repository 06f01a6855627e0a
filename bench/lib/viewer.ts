import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/fixtures/viewers/browser.js';
import { PROBE } from './pages.js';
import type { Picture } from './quality.js';
import type { Scope } from './scope.js';

type Colour = readonly [number, number, number];

/** The functions of bench/pages/probe.js inside the page. */
interface Probe {
  colour(rgb: Colour, ms: number): Promise<true>;
  motion(ms: number): Promise<true>;
  arm(ms: number): void;
  changed(): Promise<number>;
  count(ms: number): Promise<FrameCount>;
  colours(ms: number): Promise<ColourCount>;
  keep(count: number, ms: number): Promise<number[]>;
  kept(index: number): Promise<Encoded>;
  pixels(): Promise<Encoded>;
  holds(frame: number, ms: number): Promise<true>;
  received(): Received;
}
declare const probe: Probe;

interface Encoded {
  width: number;
  height: number;
  base64: string;
}

/** Frame counts of the moving page in a viewer. */
export interface FrameCount {
  seconds: number;
  /** Different frames drawn onto the canvas. */
  drawn: number;
  /** Different frames on the canvas when the browser presented it. */
  shown: number;
  /** Times between refreshes that showed another frame than before, ms, with those at the beginning and the end. */
  pauses: number[];
  /** Frames that the page made meanwhile. */
  made: number;
  /** Readings in which no number could be read. */
  unread: number;
}

/** Frame counts of a picture that changes its colour with each frame. */
export type ColourCount = Pick<FrameCount, 'seconds' | 'drawn' | 'shown'>;

/** Bytes received through sockets. */
export interface Received {
  bytes: number;
  /** Those of video messages of Berth's protocol. */
  videoBytes: number;
}

/** Space for noVNC's bar, so that no viewer scales or scrolls the picture. */
const BAR = 40;

const LONGEST_WAIT = 20_000;

/** A browser that shows a session, Berth's or another. */
export class Viewer {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens a new browser on an empty page. */
  static async open(scope: Scope, size: { width: number; height: number }): Promise<Viewer> {
    const browser = await openBrowser(scope);
    const viewport = { width: size.width, height: size.height + BAR };
    const context = await browser.newContext({ viewport });
    await context.addInitScript({ path: PROBE });
    const page = await context.newPage();
    // Selkies' page asks whether it may be left.
    page.on('dialog', dialog => void dialog.accept());
    return new Viewer(page);
  }

  /** Opens a session's page, without waiting for its picture. */
  async visit(url: string): Promise<void> {
    await this.page.goto(url, { waitUntil: 'commit' });
  }

  /** Resolves when the observed spot has about this colour. */
  async seesColour(rgb: Colour): Promise<void> {
    await this.page.evaluate(([colour, ms]) => probe.colour(colour, ms), [rgb, LONGEST_WAIT] as const);
  }

  /** Resolves when the moving page is visible. */
  async seesMotion(): Promise<void> {
    await this.page.evaluate(ms => probe.motion(ms), LONGEST_WAIT);
  }

  /** Clicks into the picture, so that keys go there. */
  async focus(): Promise<void> {
    const { width, height } = this.page.viewportSize() ?? { width: 0, height: 0 };
    await this.page.mouse.click(width / 2, height / 2);
  }

  /** Presses a key; returns the milliseconds until the observed spot changed. */
  async pressToChange(): Promise<number> {
    await this.page.evaluate(ms => probe.arm(ms), LONGEST_WAIT);
    await this.page.keyboard.press('a');
    return this.page.evaluate(() => probe.changed());
  }

  /** Holds a key until the observed spot changed; returns the milliseconds that took. */
  async holdToChange(key: string): Promise<number> {
    await this.page.evaluate(ms => probe.arm(ms), LONGEST_WAIT);
    await this.page.keyboard.down(key);
    const ms = await this.page.evaluate(() => probe.changed());
    await this.page.keyboard.up(key);
    return ms;
  }

  /** Counts frames of a picture that changes its colour with each frame. */
  countColours(ms: number): Promise<ColourCount> {
    return this.page.evaluate(duration => probe.colours(duration), ms);
  }

  /** Counts frames of the moving page. */
  countFrames(ms: number): Promise<FrameCount> {
    return this.page.evaluate(duration => probe.count(duration), ms);
  }

  /** Keeps the pixels of this many frames of the moving page; returns their numbers. */
  keepFrames(count: number, ms: number): Promise<number[]> {
    return this.page.evaluate(([n, duration]) => probe.keep(n, duration), [count, ms] as const);
  }

  /** A frame that was kept. */
  async kept(index: number): Promise<Picture> {
    return pictureOf(await this.page.evaluate(i => probe.kept(i), index));
  }

  /** What the canvas shows now. */
  async pixels(): Promise<Picture> {
    return pictureOf(await this.page.evaluate(() => probe.pixels()));
  }

  /** Makes the moving page stand still at a frame, by keys, and waits until this viewer shows it. */
  async hold(frame: number): Promise<void> {
    await this.page.keyboard.type(`${frame}\n`, { delay: 40 });
    await this.page.evaluate(([n, ms]) => probe.holds(n, ms), [frame, LONGEST_WAIT] as const);
  }

  /** Leaves the session for an empty page. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank');
  }

  /** Bytes received through the page's sockets so far. */
  received(): Promise<Received> {
    return this.page.evaluate(() => probe.received());
  }
}

const pictureOf = ({ width, height, base64 }: Encoded): Picture => ({
  width,
  height,
  pixels: Buffer.from(base64, 'base64'),
  isBlueFirst: false,
});
