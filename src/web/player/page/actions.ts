import { element } from '../../lib/dom.js';
import type { CommonSession } from '../../sdk/index.js';
import { notice } from './notice.js';
import { sayError } from '../../languages/page.js';

/** The Keyboard Lock API, which Chromium has in secure contexts. */
interface KeyboardLock {
  lock?(): Promise<void>;
  unlock?(): void;
}

/** By then browsers have begun to save a file, ms. */
const SAVED_MS = 60_000;

const keyboardLock = () => (navigator as Navigator & { keyboard?: KeyboardLock }).keyboard;

/** Enters or leaves fullscreen. In fullscreen the session receives the browser's own shortcuts too. */
export async function toggleFullscreen(): Promise<void> {
  if (document.fullscreenElement !== null) {
    keyboardLock()?.unlock?.();
    return document.exitFullscreen();
  }
  await document.documentElement.requestFullscreen({ navigationUI: 'hide' });
  // Holding Escape still leaves; without the lock only those shortcuts are unavailable.
  await keyboardLock()
    ?.lock?.()
    .catch(() => {});
}

/** Pastes the viewer's clipboard into the session, if the browser allows reading it. */
export async function pasteInto(session: CommonSession): Promise<void> {
  const pasted = session.paste();
  session.focus();
  await pasted;
}

/** Downloads a screenshot to the viewer's computer. @throws CallError */
export async function saveScreenshot(session: CommonSession): Promise<void> {
  const url = URL.createObjectURL(await session.screenshot());
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  element('a', { href: url, download: `screenshot-${time}.png` }).click();
  setTimeout(() => URL.revokeObjectURL(url), SAVED_MS);
}

/**
 * Makes a call for a button of the bar, and returns the focus to the session; returns whether it succeeded.
 * @param show displays why it failed
 */
export async function attempt(
  session: Pick<CommonSession, 'focus'>,
  call: () => Promise<unknown>,
  show: (note: HTMLElement) => void,
): Promise<boolean> {
  session.focus();
  try {
    await call();
    return true;
  } catch (error) {
    show(notice(sayError(error)));
    return false;
  }
}
