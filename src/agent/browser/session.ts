import type { LaunchChromium } from '../../protocol/generated/schemas.js';
import type { InputEvent } from '../../protocol/input.js';
import type { TouchEvent } from '../../protocol/touch.js';
import { findTarget, inputOf, turn, type Scroll } from '../display/messages.js';
import { Dialogs } from './dialogs.js';
import { Files } from './files/files.js';
import type { SessionProgram, SessionProgramOptions } from '../session/session-program.js';
import { Browser } from './browser.js';
import { BrowserControl } from './control.js';
import { ExtensionUpload } from './extension/extension-upload.js';
import { KioskKeys } from './kiosk-keys.js';
import { FirstPages } from './launch/first-page.js';
import { openPage } from './launch/open-page.js';
import { phoneTabs } from './launch/phone.js';
import { TabsDebugger } from './files/tabs-debugger.js';
import { CrashedPages } from './tabs/crashed-pages.js';
import { Windows } from './windows/windows.js';

/**
 * Milliseconds until a browser that died while it waited is started again, and by how much they grow with each death:
 * fewer than the session itself may see, since they count among its own.
 */
const [FIRST_MS, FACTOR, LONGEST_MS] = [1000, 10, 300_000];

/** A browser of a session: Chromium, what the internal extension does in it, and files on their way. */
export class BrowserSession implements SessionProgram<LaunchChromium> {
  readonly calls: SessionProgram<LaunchChromium>['calls'];
  readonly #screen: SessionProgramOptions['screen'];
  readonly #control: BrowserControl;
  readonly #kioskKeys = new KioskKeys();
  readonly #files: Files;
  readonly #windows: Windows;
  readonly #dialogs: Dialogs;
  readonly #browser: Browser;
  readonly #firstPages: FirstPages;
  readonly #crashedPages: CrashedPages;
  #launch: LaunchChromium;
  /** Whether it was started before the launch, which has not come yet. */
  #isWaiting = false;
  /** How often the browser died meanwhile. */
  #deaths = 0;
  #again: NodeJS.Timeout | undefined;

  constructor(launch: LaunchChromium, options: SessionProgramOptions) {
    const { log, env, handover, routes, upgrades, screen, tell } = options;
    this.#launch = launch;
    this.#screen = screen;
    const upload = new ExtensionUpload(handover, () => this.cleared);
    this.#control = new BrowserControl({
      log,
      handover,
      tell,
      displaySize: () => screen.displaySize,
      turn: ({ dx, dy }) => screen.send(turn(dx, dy)),
      findTarget: place => screen.send(findTarget(place)),
      point: (user, event) => screen.send(inputOf(user, event)),
    });
    const { extension, connection, swaps } = this.#control;
    this.#files = new Files({ log, env, extension, handover, tell, display: () => screen.displaySize });
    this.#dialogs = new Dialogs({ extension, tell, press: text => this.#press(text) });
    this.#crashedPages = new CrashedPages({
      tabs: new TabsDebugger(extension),
      isOn: () => this.#launch.chromium.kiosk,
      log,
      tell,
    });
    this.#windows = new Windows({ send: body => screen.send(body), tell });
    this.calls = { ...this.#control.calls, ...this.#files.calls, ...this.#dialogs.calls, ...this.#windows.calls };
    routes.push(upload.route, ...this.#files.routes, ...this.#control.routes);
    upgrades.push(extension);
    const prepare = phoneTabs(extension, () => this.#launch.chromium.user_agent === 'chrome_android');
    this.#firstPages = new FirstPages({
      extension,
      launch,
      handover,
      log,
      swaps,
      prepare,
      open: openPage,
      opened: () => options.shown(),
      failed: () => this.#startAnew(),
    });
    this.#browser = new Browser({
      ...options,
      launch,
      connection,
      ready: async () => {
        await Promise.all([options.ready(), this.#files.whenPrepared()]);
      },
      profile: ({ chromium }) => options.beginsWith(chromium.profile),
      extension: ({ chromium }) => (chromium.extension ? upload.there : Promise.resolve()),
      lost: () => {
        if (this.#isWaiting) return this.#prepareAgain();
        this.#firstPages.lost();
        this.#files.lost();
        this.#dialogs.lost();
        options.lost();
      },
    });
  }

  get content() {
    return this.#browser.content;
  }

  get current() {
    return [...this.#files.current, this.#dialogs.current, ...this.#windows.current];
  }

  get cleared() {
    return this.#browser.cleared;
  }

  prepare(): void {
    this.#isWaiting = true;
    this.#files.prepare();
    this.#browser.prepare();
  }

  become(launch: LaunchChromium): void {
    this.#isWaiting = false;
    clearTimeout(this.#again);
    this.#launch = launch;
    this.#firstPages.launched(launch, this.#browser.become(launch));
  }

  start(): void {
    this.#files.start();
    this.#browser.start();
  }

  launched(launch: LaunchChromium): void {
    this.#control.useProxy(launch.chromium.http_proxy);
  }

  input(event: InputEvent, body: Uint8Array): void {
    const passes = this.#kioskKeys.passes(event);
    if (this.#launch.chromium.kiosk && !passes) return;
    this.#screen.send(body);
    this.#control.input(event);
    this.#files.input(event);
  }

  touch(link: object, user: number, event: TouchEvent): void {
    this.#control.touch(link, user, event);
  }

  target(isFocused: boolean): void {
    this.#control.target(isFocused);
  }

  scroll(scroll: Scroll): void {
    this.#control.scroll(scroll);
  }

  window(body: Buffer): void {
    this.#windows.take(body);
  }

  unlinked(link: object): void {
    this.#control.lost(link);
  }

  displayLost(): void {
    this.#browser.displayLost();
  }

  async finish(): Promise<void> {
    await this.#control.prepareEnd();
    await this.#browser.finish();
  }

  #press(text: string): void {
    for (const letter of text) {
      for (const down of [true, false]) {
        this.#screen.send(inputOf(0, { type: 'key', down, keysym: letter.charCodeAt(0) }));
      }
    }
  }

  /** The launch begins with a browser that has nothing behind it. */
  #prepareAgain(): void {
    this.#browser.discard();
    const delay = Math.min(LONGEST_MS, FIRST_MS * FACTOR ** this.#deaths++);
    this.#again = setTimeout(() => this.#browser.start(), delay);
  }

  #startAnew(): void {
    this.#firstPages.launched(this.#launch, false);
    this.#browser.discard();
    this.#browser.start();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#again);
    this.#firstPages.stop();
    this.#crashedPages.stop();
    await this.#browser.stop();
    await this.#files.stop();
    this.#control.stop();
  }
}
