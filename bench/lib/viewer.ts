import type { Page } from 'playwright-core';
import { openBrowser } from '../../test/fixtures/browser.js';
import { PROBE } from './pages.js';
import type { Scope } from './scope.js';

type Colour = readonly [number, number, number];

/** What bench/pages/probe.js offers inside the page. */
interface Probe {
  colour(rgb: Colour, ms: number): Promise<true>;
  motion(ms: number): Promise<true>;
  arm(ms: number): void;
  changed(): Promise<number>;
  count(ms: number): Promise<FrameCount>;
  colours(ms: number): Promise<ColourCount>;
  received(): Received;
}
declare const probe: Probe;

/** Frames of the moving page in a viewer. */
export interface FrameCount {
  seconds: number;
  /** Different frames drawn onto the canvas. */
  drawn: number;
  /** Different frames on the canvas at the moments when the browser showed it. */
  shown: number;
  /** Frames that the page made meanwhile. */
  made: number;
  /** Looks at a picture in which no number could be read. */
  unread: number;
}

/** Frames of a picture that has another colour in each. */
export type ColourCount = Pick<FrameCount, 'seconds' | 'drawn' | 'shown'>;

/** What came through sockets. */
export interface Received {
  bytes: number;
  /** Those of video messages of Berth's protocol. */
  videoBytes: number;
}

/** Room for noVNC's bar, so that no viewer scales or scrolls the picture. */
const BAR = 40;

const LONGEST_WAIT = 20_000;

/** A browser that shows the picture of a session, Berth's or another. */
export class Viewer {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens a browser of its own on an empty page. */
  static async open(scope: Scope, size: { width: number; height: number }): Promise<Viewer> {
    const browser = await openBrowser(scope);
    const viewport = { width: size.width, height: size.height + BAR };
    const context = await browser.newContext({ viewport });
    await context.addInitScript({ path: PROBE });
    return new Viewer(await context.newPage());
  }

  /** Goes to a session's page; does not wait for its picture. */
  async visit(url: string): Promise<void> {
    await this.page.goto(url, { waitUntil: 'commit' });
  }

  /** Resolves when the spot that is watched has about this colour. */
  async seesColour(rgb: Colour): Promise<void> {
    await this.page.evaluate(([colour, ms]) => probe.colour(colour, ms), [rgb, LONGEST_WAIT] as const);
  }

  /** Resolves when the moving page is seen. */
  async seesMotion(): Promise<void> {
    await this.page.evaluate(ms => probe.motion(ms), LONGEST_WAIT);
  }

  /** Clicks into the picture, so that keys go there. */
  async focus(): Promise<void> {
    const { width, height } = this.page.viewportSize() ?? { width: 0, height: 0 };
    await this.page.mouse.click(width / 2, height / 2);
  }

  /** Presses a key; gives the milliseconds until the spot that is watched changed. */
  async pressToChange(): Promise<number> {
    await this.page.evaluate(ms => probe.arm(ms), LONGEST_WAIT);
    await this.page.keyboard.press('a');
    return this.page.evaluate(() => probe.changed());
  }

  /** Presses a key and holds it until the spot that is watched changed; gives the milliseconds that took. */
  async holdToChange(key: string): Promise<number> {
    await this.page.evaluate(ms => probe.arm(ms), LONGEST_WAIT);
    await this.page.keyboard.down(key);
    const ms = await this.page.evaluate(() => probe.changed());
    await this.page.keyboard.up(key);
    return ms;
  }

  /** Counts frames of a picture that has another colour in each. */
  countColours(ms: number): Promise<ColourCount> {
    return this.page.evaluate(duration => probe.colours(duration), ms);
  }

  /** Counts frames of the moving page. */
  countFrames(ms: number): Promise<FrameCount> {
    return this.page.evaluate(duration => probe.count(duration), ms);
  }

  /** Leaves the session for an empty page. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank');
  }

  /** What came through the page's sockets so far. */
  received(): Promise<Received> {
    return this.page.evaluate(() => probe.received());
  }
}
