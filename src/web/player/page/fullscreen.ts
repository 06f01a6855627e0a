/** The Keyboard Lock API, which Chromium has in secure contexts. */
interface KeyboardLock {
  lock?(): Promise<void>;
  unlock?(): void;
}

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
