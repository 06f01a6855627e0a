import type { AndroidKey, ToViewer } from '../../../../protocol/generated/schemas.js';
import type { Session } from '../../../sdk/session.js';
import type { Bar } from '../bar.js';
import { notice } from '../notice.js';
import { savePicture } from '../save-picture.js';
import { ANDROID_ICONS } from './icons.js';

/** The device's own keys, as the bar offers them. */
const KEYS: readonly (readonly [name: string, key: AndroidKey, path: string])[] = [
  ['Back', 'back', ANDROID_ICONS.back],
  ['Home', 'home', ANDROID_ICONS.home],
  ['Recent apps', 'recents', ANDROID_ICONS.recents],
  ['Power', 'power', ANDROID_ICONS.power],
  ['Volume down', 'volume_down', ANDROID_ICONS.volumeDown],
  ['Volume up', 'volume_up', ANDROID_ICONS.volumeUp],
];

const NO_SOUND = 'This device has no sound: it needs Android 11 or later.';

/** The bar's controls for a device that runs Android; absent if the session is another one. */
export class AndroidTools {
  readonly #session: Session;
  readonly #bar: Bar;
  readonly #show: (note: HTMLElement) => void;
  #isOpen = false;
  #toldSilence = false;

  /** `show` displays a notice to the viewer. */
  constructor(session: Session, bar: Bar, show: (note: HTMLElement) => void) {
    this.#session = session;
    this.#bar = bar;
    this.#show = show;
  }

  /** Handles a control message. */
  message(message: ToViewer): void {
    switch (message.type) {
      case 'welcome':
        if (message.kind === 'android' && !this.#isOpen) this.#open();
        return;
      case 'device':
        if (!message.sound && !this.#toldSilence) this.#show(notice(NO_SOUND));
        this.#toldSilence ||= !message.sound;
        return;
      case 'notice':
        return this.#show(notice(message.message));
      case 'refused':
        if (message.code === 'clipboard_too_large') this.#show(notice(message.message));
        return;
      default:
    }
  }

  #open(): void {
    this.#isOpen = true;
    for (const [name, key, path] of KEYS)
      this.#bar.add(name, path, () => void this.#try(() => this.#session.call('android.key', [key])));
    this.#bar.add('Rotate', ANDROID_ICONS.rotate, () => void this.#try(() => this.#session.call('android.rotate', [])));
    this.#bar.add('Screenshot', ANDROID_ICONS.picture, () => void this.#try(() => savePicture(this.#session)));
  }

  /** Makes a call, and displays why it failed. */
  async #try(act: () => Promise<unknown>): Promise<void> {
    this.#session.view.focus();
    try {
      await act();
    } catch (error) {
      this.#show(notice((error as Error).message));
    }
  }
}
