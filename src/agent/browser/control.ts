import type { ExtensionConnection, ProxyCredentials } from '../../protocol/extension.js';
import type { HttpProxy, SessionEvent } from '../../protocol/generated/schemas.js';
import type { InputEvent } from '../../protocol/input.js';
import type { Handover } from '../handover/handover.js';
import type { TabMethod } from '../../protocol/tabs.js';
import type { TouchEvent } from '../../protocol/touch.js';
import type { CallHandlers } from '../link/calls.js';
import type { Route } from '../link/routes.js';
import type { Log } from '../lib/log.js';
import type { Scroll } from '../display/messages.js';
import { bookmarksRoute } from './bookmarks/bookmarks-route.js';
import { ExtensionChannel } from './extension/extension-channel.js';
import { connectionFor } from './extension/extensions.js';
import { Scrolling, type ScrollingOptions } from './tabs/scrolling.js';
import type { SwapFilter } from './tabs/swap-filter.js';
import { forwardTabEvents, tabCalls } from './tabs/tabs.js';
import { Targets } from './tabs/targets.js';
import { Touches, type TouchesOptions } from './tabs/touches.js';

export interface BrowserControlOptions {
  readonly log: Log;
  readonly handover: Handover;
  readonly tell: (event: SessionEvent) => void;
  readonly displaySize: TouchesOptions['displaySize'];
  /** Turns the wheel on pages that cannot be scrolled by pixels. */
  readonly turn: ScrollingOptions['turn'];
  /** Asks the display helper whether the window that has the focus is at a place; `target` gets the answer. */
  readonly findTarget: ConstructorParameters<typeof Targets>[0];
  readonly point: TouchesOptions['point'];
}

const ESCAPE = 0xff1b;

/** Milliseconds for the extension to tell whether a finger is on a page. */
const TOUCH_TIMEOUT = 1000;

/** Milliseconds for the extension to prepare for the end. */
const END_TIMEOUT = 1500;

/** Controls the session's browser through the internal extension. */
export class BrowserControl {
  readonly connection: ExtensionConnection;
  readonly extension: ExtensionChannel;
  readonly calls: CallHandlers<`tabs.${TabMethod}` | 'swipe'>;
  readonly routes: readonly Route[];
  /** Hides the tabs of a prepared browser from clients. */
  readonly swaps: SwapFilter;
  readonly #events: { stop(): void };
  readonly #scrolling: Scrolling;
  readonly #targets: Targets;
  readonly #touches: Touches;
  /** Null if there are none; undefined until that is known. */
  #credentials: ProxyCredentials | null | undefined;

  constructor({ log, handover, tell, displaySize, turn, findTarget, point }: BrowserControlOptions) {
    this.connection = connectionFor(handover);
    this.extension = new ExtensionChannel(this.connection.secret, log);
    this.routes = [bookmarksRoute(this.extension)];
    const events = forwardTabEvents(this.extension, tell, log);
    this.#events = events;
    this.swaps = events.swaps;
    this.#targets = new Targets(findTarget);
    this.#touches = new Touches({
      displaySize,
      isPage: async ({ x, y }, place) =>
        (await this.#targets.isFocusedAt(place)) &&
        this.extension.isConnected &&
        (await this.extension.call('touch.isPage', [{ x, y }], TOUCH_TIMEOUT)) === true,
      touch: (phase, fingers) => this.#send('touch', [phase, fingers]),
      point,
    });
    this.#scrolling = new Scrolling({
      scrollPage: async ({ x, y, dx, dy }) =>
        this.extension.isConnected && (await this.extension.call('scroll', [{ x, y }, dx, dy])) === true,
      turn,
    });
    this.calls = {
      ...tabCalls(this.extension),
      swipe: direction => this.extension.call('swipe', [direction]),
    };
    this.extension.on('connected', () => {
      // Touches that the previous agent could not release.
      this.#send('touch', ['cancel', []]);
      this.#tellCredentials();
    });
  }

  /** Sends the proxy credentials to the extension; not in a file, which users could open in a tab. */
  useProxy(proxy: HttpProxy | undefined): void {
    const { username, password = '' } = proxy ?? {};
    const credentials = username === undefined ? null : { username, password };
    this.#credentials = credentials;
    this.#tellCredentials();
  }

  /** Touches of a viewer. */
  touch(link: object, user: number, event: TouchEvent): void {
    this.#touches.take(link, user, event);
  }

  /** The display helper's answer to `findTarget`. */
  target(isFocused: boolean): void {
    this.#targets.answered(isFocused);
  }

  /** Scrolls the page by pixels. */
  scroll(scroll: Scroll): void {
    this.#scrolling.take(scroll);
  }

  /** Observes input to the display: Escape resets a pinch zoom. */
  input(event: InputEvent): void {
    if (event.type === 'key' && event.down && event.keysym === ESCAPE) this.#send('touch.reset', []);
  }

  lost(link: object): void {
    this.#touches.lost(link);
  }

  /** Has no page, dialog or download hold up the end of the browser, as far as the extension can. */
  async prepareEnd(): Promise<void> {
    if (this.extension.isConnected) await this.extension.call('dialogs.end', [], END_TIMEOUT).catch(() => undefined);
  }

  stop(): void {
    this.#events.stop();
    this.extension.stop();
  }

  #tellCredentials(): void {
    if (this.#credentials !== undefined) this.#send('proxy.credentials', [this.#credentials]);
  }

  /** Input for a browser that is not running is dropped, since it would be stale later. */
  #send(method: string, args: readonly unknown[]): void {
    if (this.extension.isConnected) this.extension.call(method, args).catch(() => undefined);
  }
}
