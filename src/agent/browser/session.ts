import type { LaunchChromium } from '../../protocol/generated/schemas.js';
import type { InputEvent } from '../../protocol/input.js';
import type { TouchEvent } from '../../protocol/touch.js';
import { turn, type Scroll } from '../display/messages.js';
import { Files } from '../files/files.js';
import type { ProgramParts, SessionProgram } from '../session-program.js';
import { Browser } from './browser.js';
import { BrowserControl } from './control.js';
import { ExtensionUpload } from './extension/extension-upload.js';
import { openFirstPages } from './launch/first-page.js';
import { phoneTabs } from './launch/phone.js';

/** A browser of a session: Chromium, what the internal extension does in it, and files on their way. */
export class BrowserSession implements SessionProgram<LaunchChromium> {
  readonly #screen: ProgramParts['screen'];
  readonly #control: BrowserControl;
  readonly #files: Files;
  readonly #browser: Browser;

  constructor(launch: LaunchChromium, parts: ProgramParts) {
    const { log, handover, calls, routes, upgrades, screen, tell } = parts;
    this.#screen = screen;
    const upload = new ExtensionUpload(handover);
    this.#control = new BrowserControl({
      log,
      calls,
      handover,
      tell,
      displaySize: () => screen.displaySize,
      turn: ({ dx, dy }) => screen.send(turn(dx, dy)),
    });
    const { extension, connection } = this.#control;
    this.#files = new Files({ log, extension, handover, tell, display: () => screen.displaySize });
    this.#files.offer(calls);
    routes.push(upload.route, ...this.#files.routes, ...this.#control.routes);
    upgrades.push(extension);
    const prepare = launch.chromium.user_agent === 'chrome_android' ? phoneTabs(extension) : undefined;
    openFirstPages(extension, launch.chromium, log, prepare);
    this.#browser = new Browser({
      ...parts,
      launch,
      connection,
      profile: parts.beginsWith(launch.chromium.profile),
      extension: launch.chromium.extension ? upload.there : Promise.resolve(),
      lost: () => {
        this.#files.lost();
        parts.lost();
      },
    });
  }

  get content() {
    return this.#browser.content;
  }

  get current() {
    return this.#files.current;
  }

  start(): void {
    this.#files.start();
    this.#browser.start();
  }

  launched(launch: LaunchChromium): void {
    this.#control.useProxy(launch.chromium.http_proxy);
  }

  input(event: InputEvent, body: Uint8Array): void {
    this.#screen.send(body);
    this.#control.input(event);
  }

  touch(link: object, user: number, event: TouchEvent): void {
    this.#control.touch(link, user, event);
  }

  /** Browsers have no pads. */
  pad(): void {}

  scroll(scroll: Scroll): void {
    this.#control.scroll(scroll);
  }

  unlinked(link: object): void {
    this.#control.lost(link);
  }

  displayLost(): void {
    this.#browser.displayLost();
  }

  finish(): Promise<void> {
    return this.#browser.finish();
  }

  async stop(): Promise<void> {
    this.#files.stop();
    await this.#browser.stop();
    this.#control.stop();
  }
}
